#include "runtime/mcp/call_executor.hpp"

#include "base/async/parallel.hpp"
#include "base/error_members.hpp"

namespace clawperator::mcp {
namespace {

// A race waits for its other side where one of them throws, so this one does not. A cancellation
// comes as an exception, too.
Task<ExecuteResult> guarded(Task<ExecuteResult> work) {
  Error wrong(errc::cancelled, "cancelled");
  try {
    co_return co_await std::move(work);
  } catch (const std::exception& error) {
    wrong = Error(errc::unknown, std::string("internal error: ") + error.what());
  }
  co_return std::unexpected(std::move(wrong));
}

}  // namespace

Task<ExecuteResult> CallExecutor::execute(ExecuteRequest request) {
  const auto left = call_->time_left();
  request.lock_patience = std::min(request.lock_patience, left);
  std::optional<Result<ExecuteResult>> result;
  auto work = guarded(call_->defaults->executor->execute(std::move(request)));
  const auto ended = co_await adbproto::run_within(base::parallel::keep(std::move(work), &result),
                                                   left, "the call");
  if (ended && result) co_return *std::move(result);
  if (ended || ended.error().code() != errc::deadline_exceeded) {
    co_return fail(errc::cancelled, "cancelled");
  }
  const Error late(errc::deadline_exceeded,
                   "the call took too long; what it was to do may have been done");
  co_return std::unexpected(with_details(late, ErrorMembers().boolean("dispatchAttempted", true)));
}

}  // namespace clawperator::mcp
