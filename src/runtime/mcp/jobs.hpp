#pragma once
// Plans that may take longer than a client waits: a plan that is not done in time returns a handle,
// and the client gets the result with it later.

#include <map>

#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

class Jobs {
 public:
  explicit Jobs(const asio::any_io_executor& executor) : executor_(executor), scope_(executor) {}

  // A phone runs one plan at a time; more would only wait and hold memory.
  static constexpr std::size_t kMost = 16;

  // The answer of `work`, or one with a handle. Cancelled before that, it cancels the work, too.
  // limit where kMost plans run already.
  Task<ToolAnswer> run(Task<ToolAnswer> work);
  // The answer by its handle, as long as it is held; usage for an unknown handle.
  Task<ToolAnswer> resume(std::string handle);

  // Required before destruction.
  asio::awaitable<void> stop();

 private:
  struct Job {
    explicit Job(const asio::any_io_executor& executor) : changed(executor) {}
    std::optional<Result<ToolAnswer>> answer{};
    bool is_unwanted = false;
    adbproto::Signal changed;
  };
  using JobPointer = std::shared_ptr<Job>;
  class Unless;

  static asio::awaitable<void> carry_out(JobPointer job, Task<ToolAnswer> work);
  Task<ToolAnswer> await_job(std::string handle, JobPointer job);
  Result<void> make_room();

  asio::any_io_executor executor_;
  adbproto::Scope scope_;
  std::map<std::string, JobPointer> jobs_;  // by handle, which begins with its time
};

}  // namespace clawperator::mcp
