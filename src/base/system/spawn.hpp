#pragma once
// Starts another program: without a shell, in its own process group (its own session if it must
// outlive us and our terminal), with all our descriptors closed.

#include <sys/types.h>

#include <filesystem>

#include "base/async/task.hpp"

namespace base {

struct SpawnRequest {
  std::vector<std::string> words{};  // words[0]: a path, or a name in PATH
  std::filesystem::path folder{};    // working directory; empty: ours
  // Variables for its environment beside those of every program: child_environment.
  std::string_view needed_variables{};
  std::vector<std::string> variables{};
  // They become the child's 0, 1 and 2, and the caller keeps them; -1 means /dev/null.
  int input = -1;
  int output = -1;
  int errors = -1;
  enum class Bond { group, session } bond = Bond::group;
};

// The file that would run: `name` itself if it has a '/', else from PATH; nullopt: none.
std::optional<std::filesystem::path> find_program(std::string_view name);

// Every file in PATH with that name, in the order of PATH; a file with several names only once.
std::vector<std::filesystem::path> find_programs(std::string_view name);

// Returns the child's process id. host_dependency_missing if the program is missing or cannot be
// executed.
Result<pid_t> spawn_program(const SpawnRequest& request);

// Reaps an ended child and returns its exit status (128 + N for signal N).
std::optional<int> exit_status_of(pid_t pid);

// Waits until the child has ended; nullopt when `limit` passes first.
asio::awaitable<std::optional<int>> wait_for_exit(pid_t pid, std::chrono::milliseconds limit);

// Kills the child's whole group at once and leaves no zombie, for a caller that can await nothing
// more.
void kill_and_reap(pid_t pid);

}  // namespace base
