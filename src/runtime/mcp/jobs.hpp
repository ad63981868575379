#pragma once
// Plans that may take longer than a client waits for an answer: what is not done in time is asked
// for again by a handle.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "adbproto/link/scope.hpp"
#include "adbproto/link/signal.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// Clients give up after 60 s unless they were told otherwise.
inline constexpr std::chrono::milliseconds kLongestAnswer{50000};

class Jobs {
 public:
  explicit Jobs(const asio::any_io_executor& executor) : executor_(executor), scope_(executor) {}

  static constexpr std::size_t kMost = 16;

  // The answer of `work`, or one with a handle. Cancelled before that, it cancels the work, too.
  // limit where kMost plans run already.
  Task<ToolAnswer> run(Task<ToolAnswer> work);
  // usage where there is none, or its answer was given or dropped.
  Task<ToolAnswer> resume(std::string handle);

  // Required before destruction.
  asio::awaitable<void> stop();

 private:
  struct Job {
    explicit Job(const asio::any_io_executor& executor) : changed(executor), unwanted(executor) {}
    std::optional<Result<ToolAnswer>> answer{};
    adbproto::Signal changed;
    adbproto::Signal unwanted;
  };
  using JobPointer = std::shared_ptr<Job>;

  static asio::awaitable<void> carry_out(JobPointer job, Task<ToolAnswer> work);
  Task<ToolAnswer> await_job(std::string handle, JobPointer job);
  Result<void> make_room();

  asio::any_io_executor executor_;
  adbproto::Scope scope_;
  std::map<std::string, JobPointer> jobs_;  // by handle, which begins with its time
};

}  // namespace clawperator::mcp
