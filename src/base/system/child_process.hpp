#pragma once
// Runs programs of the host, for the few tasks that only they can do
// (docs/internals/architecture.md lists them): without a shell, in their own process group, with
// all our descriptors closed.

#include <csignal>
#include <filesystem>

#include "base/async/task.hpp"
#include "base/system/spawn.hpp"  // find_program

namespace base {

enum class ChildStream { out, err };

struct ChildCommand {
  std::vector<std::string> words{};      // words[0]: a path, or a name in PATH
  std::string input{};                   // its standard input; empty: /dev/null
  std::filesystem::path folder{};        // working directory; empty: ours
  std::string_view needed_variables{};   // in its environment: like SpawnRequest's
  std::vector<std::string> variables{};  // NAME=VALUE sets one of them, NAME removes it
  std::chrono::milliseconds limit{60000};
  // Receives the output as it arrives; then ChildOutput keeps none of it.
  std::function<void(ChildStream, std::string_view)> on_output{};
  // The first signal to a cancelled command's group: the one that cancelled us.
  std::function<int()> farewell = [] { return SIGTERM; };
  // The processes of its group that are left at its end.
  enum class Leftovers { stay, ended } leftovers = Leftovers::stay;
};

struct ChildOutput {
  int exit_status = 0;  // 128 + N when signal N ended it
  std::string out{};    // each at most kMaxChildOutput bytes, the rest is read and dropped
  std::string err{};
};
// Tools print some KiB; endless output must not fill the memory.
inline constexpr std::size_t kMaxChildOutput = 4 << 20;

// Runs the program to its end. At the limit its whole group gets SIGTERM and, 2 s later, SIGKILL;
// the result is deadline_exceeded. When the task is cancelled, `farewell` is sent in place of
// SIGTERM. host_dependency_missing when there is no such program.
Task<ChildOutput> run_child(ChildCommand command);

// Starts a program that outlives us; its output is appended to `log_file`. Returns its process id.
Result<pid_t> start_detached(const ChildCommand& command, const std::filesystem::path& log_file);

// For a process of start_detached: true if it has ended and is reaped.
bool has_ended(pid_t pid);

}  // namespace base
