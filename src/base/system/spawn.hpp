#pragma once
// The one way to start another program: without a shell, in a process group of its own (a session
// of its own where it is to outlive us and our terminal), with every descriptor of ours closed.

#include <sys/types.h>

#include <filesystem>

#include "base/async/task.hpp"

namespace base {

struct SpawnRequest {
  std::vector<std::string> words{};  // words[0]: a path, or a name in PATH
  std::filesystem::path folder{};    // working directory; empty: ours
  // Variables of its environment beside those of every program: child_environment.
  std::string_view needed_variables{};
  std::vector<std::string> variables{};
  // They become the child's 0, 1 and 2, and stay the caller's; -1 stands for /dev/null.
  int input = -1;
  int output = -1;
  int errors = -1;
  enum class Bond { group, session } bond = Bond::group;
};

// The file that would be executed: `name` itself if it has a '/', else from PATH; nullopt: none.
std::optional<std::filesystem::path> find_program(std::string_view name);

// Every file in PATH by that name, in the order of PATH; of one file with several names the first.
std::vector<std::filesystem::path> find_programs(std::string_view name);

// Returns the child's process id. Fails with host_dependency_missing when there is no such program,
// or it cannot be executed.
Result<pid_t> spawn_program(const SpawnRequest& request);

// The exit status of a child that has ended (128 + N for signal N), which is reaped by that.
std::optional<int> exit_status_of(pid_t pid);

// Waits until the child has ended; nullopt when `limit` comes first.
asio::awaitable<std::optional<int>> wait_for_exit(pid_t pid, std::chrono::milliseconds limit);

// Kills the child's whole group at once, for a caller that can await nothing any more, and leaves
// no zombie.
void kill_and_reap(pid_t pid);

}  // namespace base
