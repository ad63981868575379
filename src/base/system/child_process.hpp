#pragma once
// Programs of the host, for the few things that only they can do (docs/internals/architecture.md
// lists them): without a shell, in a process group of their own, with every descriptor of ours
// closed.

#include <csignal>
#include <filesystem>

#include "base/async/task.hpp"
#include "base/system/spawn.hpp"  // find_program

namespace base {

enum class ChildStream { out, err };

struct ChildCommand {
  std::vector<std::string> words{};     // words[0]: a path, or a name in PATH
  std::string input{};                  // its standard input; empty: /dev/null
  std::filesystem::path folder{};       // working directory; empty: ours
  std::string_view needed_variables{};  // of its environment: as in SpawnRequest
  std::vector<std::string> variables{};
  std::chrono::milliseconds limit{60000};
  // Gets the output as it comes; then ChildOutput keeps none of it.
  std::function<void(ChildStream, std::string_view)> on_output{};
  // The first signal to a cancelled command's group: the one that cancelled us.
  std::function<int()> farewell = [] { return SIGTERM; };
  // Processes of its group that are left when it ends.
  enum class Leftovers { stay, ended } leftovers = Leftovers::stay;
};

struct ChildOutput {
  int exit_status = 0;  // 128 + N when signal N ended it
  std::string out{};    // each at most kMaxChildOutput bytes, the rest is read and dropped
  std::string err{};
};
// Tools print some KiB; one that prints without an end must not fill memory.
inline constexpr std::size_t kMaxChildOutput = 4 << 20;

// Runs to the end. At the limit its whole group gets SIGTERM and, 2 s later, SIGKILL;
// deadline_exceeded then. When it is cancelled, `farewell` stands for SIGTERM.
// host_dependency_missing when there is no such program.
Task<ChildOutput> run_child(ChildCommand command);

// Starts and leaves it: it survives us, its output is appended to `log_file`. Its process id.
Result<pid_t> start_detached(const ChildCommand& command, const std::filesystem::path& log_file);

// Of a process that start_detached started: has it ended (and is it reaped)?
bool has_ended(pid_t pid);

}  // namespace base
