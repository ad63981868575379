#include "skills/phone/skills_sync.hpp"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "base/async/abandonable.hpp"
#include "base/at_exit.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "base/system/errc.hpp"
#include "base/system/file_lock.hpp"
#include "base/system/staged_folder.hpp"
#include "skills/phone/checkout.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kGrace(2);
enum class There { nothing, checkout };

Result<There> what_is_at(const fs::path& folder) {
  std::error_code error;
  const auto link = fs::symlink_status(folder, error);
  if (link.type() == fs::file_type::not_found) return There::nothing;
  if (!is_folder(folder)) return fail(errc::refused, folder.string() + " is no folder");
  if (is_there(folder / ".git")) return There::checkout;
  const bool is_empty = fs::is_empty(folder, error);
  if (!error && is_empty && fs::is_directory(link)) return There::nothing;
  return fail(errc::refused, folder.string() +
                                 " is not empty and no git checkout; move it away, or make it one. "
                                 "Nothing was touched");
}

// One sync on a thread of its own, which its caller may have to leave behind: libgit2's ssh has no
// time limit. After give_up() the thread writes nothing.
class SyncJob {
 public:
  explicit SyncJob(SyncOptions options) : options_(std::move(options)) {}

  // On its thread, once.
  Result<SyncReport> run() {
    auto outcome = sync();
    const std::lock_guard guard(mutex_);
    outcome_ = outcome;
    ended_.notify_all();
    return outcome;
  }

  // On the caller's thread: requests the end and waits a moment, or until a write that has begun is
  // done. Returns the outcome, if there is one; else removes the rest.
  std::optional<Result<SyncReport>> give_up() {
    if (phase_ == Phase::given_up) return std::nullopt;
    stop_.request_stop();
    std::unique_lock guard(mutex_);
    const auto has_ended = [this] { return outcome_.has_value(); };
    if (ended_.wait_for(guard, kGrace, has_ended)) return outcome_;
    auto fetching = Phase::fetching;
    if (!phase_.compare_exchange_strong(fetching, Phase::given_up)) {
      ended_.wait(guard, has_ended);
      return outcome_;
    }
    // The abandoned thread still holds its own folder.
    StagedFolder::remove_left(options_.folder, StagedFolder::Filled::goes);
    return std::nullopt;
  }

 private:
  enum class Phase { fetching, writing, given_up };

  Result<SyncReport> sync() {
    if (options_.folder.empty()) return fail(errc::refused, "HOME is not set");
    TRY_VOID(load_git());
    TRY_VOID(lock());
    StagedFolder::remove_left(options_.folder);
    TRY(const There there, what_is_at(options_.folder));
    return there == There::nothing ? install() : update();
  }

  Result<void> lock() {
    const fs::path path = options_.folder.string() + ".lock";
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    lock_ = open_lock_file(path);
    if (!lock_.is_open()) return cannot_write(path, errno);
    if (try_lock(lock_) == Locking::locked) return ok();
    return fail(errc::execution_conflict_in_flight,
                "another sync of " + options_.folder.string() + " is running");
  }

  // Written to a folder that is not in use yet.
  Result<SyncReport> install() {
    TRY(const StagedFolder staged, StagedFolder::begin(options_.folder));
    TRY(Checkout checkout, Checkout::create(staged.fresh()));
    const std::string url = options_.url.empty() ? std::string(kSkillsRepository) : options_.url;
    TRY(SyncReport report, fetch_into(checkout, url));
    TRY(report.files, checkout.write());
    TRY_VOID(begin_to_write());
    const int reason = staged.take_empty_place();
    if (reason != 0) return cannot_write(options_.folder, reason);
    return report;
  }

  Result<SyncReport> update() {
    TRY(Checkout checkout, Checkout::open(options_.folder));
    const std::string origin = checkout.origin();
    std::string url = options_.url.empty() ? origin : options_.url;
    if (url.empty()) url = kSkillsRepository;
    TRY_VOID(checkout.note_upstream());
    TRY(SyncReport report, fetch_into(checkout, url));
    if (!origin.empty() && origin != report.url) report.former_url = origin;
    TRY_VOID(begin_to_write());
    TRY(report.files, checkout.write());
    return report;
  }

  Result<void> lock_registry_if_there() {
    const fs::path registry = options_.folder / kRegistryName;
    if (!is_folder(registry.parent_path())) return ok();
    TRY(registry_lock_, lock_folder_blocking(registry.parent_path()));
    return ok();
  }

  // Fetches only; no file is written yet.
  Result<SyncReport> fetch_into(Checkout& checkout, const std::string& given) {
    TRY(const RepositoryUrl url, read_repository_url(given));
    FetchWatch watch{stop_.get_token(), options_.limits, options_.on_fetched};
    TRY(const FetchedRef fetched, fetch_ref(checkout.repository(), url, options_.ref, &watch));
    TRY_VOID(lock_registry_if_there());
    TRY_VOID(checkout.prepare({fetched, options_.ref, url.text}, watch.stop));
    return SyncReport{options_.folder / kRegistryName, url.text, {}, text_of(fetched.commit), 0};
  }

  Result<void> begin_to_write() {
    auto fetching = Phase::fetching;
    const bool may =
        !stop_.stop_requested() && phase_.compare_exchange_strong(fetching, Phase::writing);
    return may ? ok() : fail(errc::cancelled, "cancelled");
  }

  SyncOptions options_;
  std::stop_source stop_;
  std::atomic<Phase> phase_ = Phase::fetching;
  FileHandle lock_;
  FileHandle registry_lock_;  // keeps `skills new` waiting
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Result<SyncReport>> outcome_;  // guarded by mutex_
};

constinit adbproto::Places syncs(4);

Error published(const Error& error) {
  if (error.code() == errc::cancelled) return error;
  return {errc::skills_sync_failed, "Skills sync failed: " + error.message(), error.members()};
}

}  // namespace

Task<SyncReport> sync_skills(SyncOptions options) {
  const auto limit = options.limits.whole;
  const auto job = std::make_shared<SyncJob>(std::move(options));
  const AtExit given_up([job] { job->give_up(); });  // on every way out of the caller
  auto work = adbproto::run_abandonable(&syncs, [job] { return job->run(); });
  auto done = co_await with_deadline(std::move(work), limit, "the sync");
  if (!done && done.error().code() == errc::deadline_exceeded) {
    // It may have ended just now.
    if (auto late = job->give_up(); late && *late) done = *std::move(late);
  }
  if (!done) co_return std::unexpected(published(done.error()));
  co_return done;
}

}  // namespace clawperator::phone_skills
