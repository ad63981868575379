#include "skills/sync/sync_job.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/contract/errc.hpp"
#include "runtime/device/blocking_lock.hpp"
#include "skills/repo/repo.hpp"
#include "skills/sync/repository_url.hpp"
#include "skills/sync/tree_files.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kGrace(2);
constexpr std::string_view kPart = ".part";
constexpr std::size_t kDigits = 16;

// FOLDER.<16 digits>.part; removed with everything in it unless it got another name.
class PartFolder {
 public:
  explicit PartFolder(const fs::path& target) {
    std::uint64_t random = 0;
    std::ignore = ::getrandom(&random, sizeof random, 0);
    std::array<char, kDigits + 1> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random));
    path_ = target.string() + "." + digits.data() + std::string(kPart);
  }
  ~PartFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  Result<void> become(const fs::path& target) const {
    if (::rename(path_.c_str(), target.c_str()) == 0) return ok();
    return fail(errc::file_write_failed,
                "cannot write " + target.string() + ": " + std::strerror(errno));
  }

 private:
  fs::path path_;
};

bool is_part_of(const std::string& name, const std::string& target) {
  if (!name.starts_with(target + ".") || !name.ends_with(kPart)) return false;
  const std::string_view digits = std::string_view(name).substr(
      target.size() + 1, name.size() - target.size() - 1 - kPart.size());
  return digits.size() == kDigits && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

enum class There { nothing, checkout };

Result<There> what_is_at(const fs::path& folder) {
  std::error_code error;
  const auto link = fs::symlink_status(folder, error);
  if (link.type() == fs::file_type::not_found) return There::nothing;
  if (!fs::is_directory(folder, error))
    return fail(errc::refused, folder.string() + " is no folder");
  if (fs::exists(folder / ".git", error)) return There::checkout;
  const bool is_empty = fs::is_empty(folder, error);
  if (!error && is_empty && fs::is_directory(link)) return There::nothing;
  return fail(errc::refused, folder.string() +
                                 " is not empty and no git checkout; move it away, or make it one. "
                                 "Nothing was touched");
}

}  // namespace

SyncJob::SyncJob(SyncOptions options) : options_(std::move(options)) {}

Result<SyncReport> SyncJob::run() {
  auto outcome = sync();
  const std::lock_guard guard(mutex_);
  outcome_ = outcome;
  ended_.notify_all();
  return outcome;
}

std::optional<Result<SyncReport>> SyncJob::give_up() {
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
  remove_leftovers();
  return std::nullopt;
}

Result<void> SyncJob::begin_to_write() {
  auto fetching = Phase::fetching;
  const bool may =
      !stop_.stop_requested() && phase_.compare_exchange_strong(fetching, Phase::writing);
  return may ? ok() : fail(errc::cancelled, "cancelled");
}

Result<SyncReport> SyncJob::sync() {
  if (options_.folder.empty()) return fail(errc::refused, "HOME is not set");
  TRY_VOID(load_git());
  TRY_VOID(lock());
  remove_leftovers();
  TRY(const There there, what_is_at(options_.folder));
  return there == There::nothing ? install() : update();
}

Result<void> SyncJob::lock() {
  const fs::path path = options_.folder.string() + ".lock";
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  lock_ = FileHandle(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_.is_open()) {
    return fail(errc::file_write_failed,
                "cannot write " + path.string() + ": " + std::strerror(errno));
  }
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return ok();
  return fail(errc::execution_conflict_in_flight,
              "another sync of " + options_.folder.string() + " is running");
}

// First checkouts that were killed; the lock is ours.
void SyncJob::remove_leftovers() const {
  std::error_code error;
  const std::string name = options_.folder.filename().string();
  auto at = fs::directory_iterator(options_.folder.parent_path(), error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (is_part_of(at->path().filename().string(), name)) fs::remove_all(at->path(), ignored);
  }
}

// Written where nobody looks yet.
Result<SyncReport> SyncJob::install() {
  const PartFolder part(options_.folder);
  TRY(Checkout checkout, Checkout::create(part.path()));
  const std::string url = options_.url.empty() ? std::string(kSkillsRepository) : options_.url;
  TRY(SyncReport report, fetch_into(checkout, url));
  TRY(report.files, checkout.write());
  TRY_VOID(begin_to_write());
  TRY_VOID(part.become(options_.folder));
  return report;
}

Result<SyncReport> SyncJob::update() {
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

Result<void> SyncJob::lock_registry_if_there() {
  const fs::path registry = options_.folder / kRegistryName;
  std::error_code ignored;
  if (!fs::is_directory(registry.parent_path(), ignored)) return ok();
  TRY(registry_lock_, lock_folder_blocking(registry.parent_path()));
  return ok();
}

// Of the files nothing is written yet.
Result<SyncReport> SyncJob::fetch_into(Checkout& checkout, const std::string& given) {
  TRY(const RepositoryUrl url, read_repository_url(given));
  FetchWatch watch{stop_.get_token(), options_.limits, options_.on_fetched};
  TRY(const FetchedRef fetched, fetch_ref(checkout.repository(), url, options_.ref, &watch));
  TRY_VOID(lock_registry_if_there());
  TRY_VOID(checkout.prepare({fetched, options_.ref, url.text}, watch.stop));
  return SyncReport{options_.folder / kRegistryName, url.text, {}, text_of(fetched.commit), 0};
}

}  // namespace clawperator::skills
