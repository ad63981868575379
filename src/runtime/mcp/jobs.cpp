#include "runtime/mcp/jobs.hpp"

#include <algorithm>

#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"
#include "base/json_text.hpp"
#include "runtime/engine/ulid.hpp"

namespace clawperator::mcp {
namespace {

using namespace base::parallel;

ToolAnswer still_running(const std::string& handle) {
  return text_answer(JsonObject()
                         .text("state", "running")
                         .text("handle", handle)
                         .text("hint", "call execute with this handle alone to get the result")
                         .str());
}

}  // namespace

asio::awaitable<void> Jobs::carry_out(JobPointer job, Task<ToolAnswer> work) {
  auto outcome = co_await (std::move(work) ||
                           adbproto::wait_until(&job->changed, [&] { return job->is_unwanted; }));
  if (outcome.index() == 0) {
    job->answer = std::get<0>(std::move(outcome));
  } else {
    job->answer = fail(errc::cancelled, "cancelled");
  }
  job->changed.notify_all();
}

Result<void> Jobs::make_room() {
  if (jobs_.size() < kMost) return ok();
  const auto done =
      std::ranges::find_if(jobs_, [](const auto& job) { return job.second->answer.has_value(); });
  if (done == jobs_.end()) {
    return fail(errc::limit, std::to_string(kMost) + " plans are running already");
  }
  jobs_.erase(done);
  return ok();
}

Task<ToolAnswer> Jobs::await_job(std::string handle, JobPointer job) {
  const auto is_done = [&] { return job->answer.has_value(); };
  co_await (adbproto::wait_until(&job->changed, is_done) || adbproto::sleep_for(kLongestAnswer));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (adbproto::is_cancelled(state)) co_return fail(errc::cancelled, "cancelled");
  if (!job->answer) co_return still_running(handle);
  co_return *job->answer;
}

// Ends work whose caller has left before it got the handle.
class Jobs::Unless {
 public:
  explicit Unless(JobPointer job) : job_(std::move(job)) {}
  Unless(const Unless&) = delete;
  Unless& operator=(const Unless&) = delete;
  ~Unless() {
    if (!job_) return;
    job_->is_unwanted = true;
    job_->changed.notify_all();
  }
  void keep() { job_ = nullptr; }

 private:
  JobPointer job_;
};

Task<ToolAnswer> Jobs::run(Task<ToolAnswer> work) {
  CO_TRY_VOID(make_room());
  const std::string handle = new_ulid();
  const auto job = std::make_shared<Job>(executor_);
  jobs_.emplace(handle, job);
  scope_.spawn(carry_out(job, std::move(work)));
  Unless unwanted(job);
  auto answer = co_await await_job(handle, job);
  if (answer || answer.error().code() != errc::cancelled) unwanted.keep();
  if (job->answer || !answer) jobs_.erase(handle);  // no client has its handle
  co_return answer;
}

Task<ToolAnswer> Jobs::resume(std::string handle) {
  const auto job = jobs_.find(handle);
  if (job == jobs_.end()) {
    co_return fail(errc::usage, "no plan has this handle, or its result is no longer held");
  }
  co_return co_await await_job(handle, job->second);
}

asio::awaitable<void> Jobs::stop() {
  scope_.cancel();
  co_await scope_.join();
}

}  // namespace clawperator::mcp
