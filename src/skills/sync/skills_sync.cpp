#include "skills/sync/skills_sync.hpp"

#include "adbproto/link/abandonable.hpp"
#include "runtime/contract/errc.hpp"
#include "skills/sync/sync_job.hpp"

namespace clawperator::skills {
namespace {

constinit adbproto::Places syncs(4);

Error published(const Error& error) {
  if (error.code() == errc::cancelled) return error;
  return {errc::skills_sync_failed, "Skills sync failed: " + error.message(), error.members()};
}

// However the caller goes.
class GiveUpOnExit {
 public:
  explicit GiveUpOnExit(std::shared_ptr<SyncJob> job) : job_(std::move(job)) {}
  ~GiveUpOnExit() { job_->give_up(); }
  GiveUpOnExit(const GiveUpOnExit&) = delete;
  GiveUpOnExit& operator=(const GiveUpOnExit&) = delete;

 private:
  std::shared_ptr<SyncJob> job_;
};

}  // namespace

Task<SyncReport> sync_skills(SyncOptions options) {
  const auto limit = options.limits.whole;
  const auto job = std::make_shared<SyncJob>(std::move(options));
  const GiveUpOnExit guard(job);
  auto work = adbproto::run_abandonable(&syncs, [job] { return job->run(); });
  auto done = co_await with_deadline(std::move(work), limit, "the sync");
  if (!done && done.error().code() == errc::deadline_exceeded) {
    // It may just have come to its end.
    if (auto late = job->give_up(); late && *late) done = *std::move(late);
  }
  if (!done) co_return std::unexpected(published(done.error()));
  co_return done;
}

}  // namespace clawperator::skills
