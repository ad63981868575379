#include "agent_skills/hub/staged_skill.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "agent_skills/hub/errc.hpp"
#include "agent_skills/hub/names.hpp"
#include "agent_skills/hub/plain_file.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/system/errc.hpp"
#include "base/system/file_lock.hpp"
#include "base/text.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// SKILLS/.hub-replaced/<slug>-<time>/: what was replaced and may be somebody's work.
class ReplacedFolder {
 public:
  // Makes it; no link leads there. file_write_failed.
  static Result<ReplacedFolder> open(const fs::path& skills) {
    fs::path path = skills / ".hub-replaced";
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return cannot_write_to(path, errno);
    FileHandle folder = open_real_folder(path);
    if (!folder.is_open()) return cannot_write_to(path, errno);
    return ReplacedFolder(std::move(path), std::move(folder));
  }

  ReplacedFolder(ReplacedFolder&&) noexcept = default;
  ReplacedFolder& operator=(ReplacedFolder&&) = delete;
  ReplacedFolder(const ReplacedFolder&) = delete;
  ReplacedFolder& operator=(const ReplacedFolder&) = delete;
  // Nothing stays where nothing was kept.
  ~ReplacedFolder() {
    if (folder_.is_open()) ::rmdir(path_.c_str());
  }

  // Its new name.
  [[nodiscard]] Result<fs::path> keep(const fs::path& folder, const std::string& slug) const {
    TRY(const std::string name,
        with_code(errc::file_write_failed, set_aside(folder, folder_, slug + "-" + wall_stamp())));
    return path_ / name;
  }

 private:
  ReplacedFolder(fs::path path, FileHandle folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  FileHandle folder_;
};

constexpr std::string_view kPart = ".part";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kMaxInodeFile = 64;

bool has_entry(const fs::path& path) {
  struct stat found{};
  return ::lstat(path.c_str(), &found) == 0;
}

std::optional<std::uint64_t> inode_of(const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return found.st_ino;
}

// The slug of ".<slug>.<16 digits>.part"; empty for any other name.
std::string slug_of_part(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kPart)) return {};
  name = name.substr(1, name.size() - 1 - kPart.size());
  const auto dot = name.rfind('.');
  if (dot == name.npos) return {};
  const bool is_part = is_hex(name.substr(dot + 1), kDigits) && is_slug(name.substr(0, dot));
  return is_part ? std::string(name.substr(0, dot)) : std::string();
}

Result<void> keep_replaced(const fs::path& skills, const std::string& slug, const fs::path& path) {
  TRY(const ReplacedFolder replaced, ReplacedFolder::open(skills));
  TRY_VOID(replaced.keep(path, slug));
  return ok();
}

void remove_all_of(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// What a run that was killed has left in `part`; whether its new folder is in place. After an error
// something of the user's is still there.
Result<bool> recover_part(const fs::path& skills, const std::string& slug, const fs::path& part) {
  const fs::path target = skills / slug;
  const fs::path old = part / "old";
  if (has_entry(old) && has_entry(target)) {
    TRY_VOID(keep_replaced(skills, slug, old));
  } else if (has_entry(old) && ::rename(old.c_str(), target.c_str()) != 0) {
    return cannot_write_to(target, errno);
  }
  const auto note = read_plain_file(part / "inode", kMaxInodeFile);
  if (note && !*note) return false;  // nothing has been exchanged
  const auto inode = note ? whole_number<std::uint64_t>(**note) : std::nullopt;
  const fs::path fresh = part / "new";
  const auto staged = inode_of(fresh);
  if (staged && staged != inode) TRY_VOID(keep_replaced(skills, slug, fresh));
  return inode && inode_of(target) == inode;
}

}  // namespace

Result<FileHandle> lock_made_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  auto lock = lock_folder_blocking(folder);
  if (lock) return lock;
  const bool is_held = lock.error().code() == errc::deadline_exceeded;
  return fail(is_held ? errc::execution_conflict_in_flight : errc::file_write_failed,
              lock.error().message());
}

Result<void> recover_skills(const Places& places,
                            const std::function<Result<void>(const std::string& slug)>& finish) {
  std::error_code error;
  std::vector<fs::path> parts;
  auto at = fs::directory_iterator(places.skills, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    if (!slug_of_part(at->path().filename().string()).empty()) parts.push_back(at->path());
  }
  for (const fs::path& part : parts) {
    const FileHandle lock = open_real_folder(part);
    if (!lock.is_open() || try_lock(lock) != Locking::locked) continue;
    const std::string slug = slug_of_part(part.filename().string());
    const auto is_in_place = recover_part(places.skills, slug, part);
    if (!is_in_place) {
      places.warn(part.string() + " has what a run before has replaced, and it cannot be kept: " +
                  is_in_place.error().message());
      continue;
    }
    if (*is_in_place) TRY_VOID(finish(slug));
    remove_all_of(part);
  }
  return ok();
}

StagedSkill::StagedSkill(fs::path skills, std::string slug, fs::path part, FileHandle lock)
    : skills_(std::move(skills)),
      slug_(std::move(slug)),
      part_(std::move(part)),
      lock_(std::move(lock)) {}

StagedSkill::StagedSkill(StagedSkill&&) noexcept = default;

// Whatever went wrong, nothing of the user's goes with it.
StagedSkill::~StagedSkill() {
  if (!lock_.is_open()) return;
  const auto is_in_place = recover_part(skills_, slug_, part_);
  if (is_in_place && (is_finished_ || !*is_in_place)) remove_all_of(part_);
}

Result<StagedSkill> StagedSkill::begin(const fs::path& skills, const std::string& slug) {
  TRY(const std::string digits, random_hex(kDigits / 2));
  const fs::path part = skills / ("." + slug + "." + digits + std::string(kPart));
  if (::mkdir(part.c_str(), 0700) != 0) return cannot_write_to(part, errno);
  FileHandle lock = open_real_folder(part);
  if (!lock.is_open() || try_lock(lock) != Locking::locked) {
    return cannot_write_to(part, errno);
  }
  return StagedSkill(skills, slug, part, std::move(lock));
}

Result<void> StagedSkill::note_inode() const {
  const auto inode = inode_of(fresh());
  if (!inode) return cannot_write_to(fresh(), errno);
  return with_code(errc::file_write_failed,
                   write_file_atomically(part_ / "inode", std::to_string(*inode),
                                         ParentFolder::required, Durable::yes));
}

Result<void> StagedSkill::take_free_place(const fs::path& target) const {
  const auto is_taken = [&target] {
    return fail(errc::hub_local_changes, target.string() + " has come to be there meanwhile");
  };
  if (has_entry(target)) return is_taken();
  const int reason = rename_to_free(AT_FDCWD, fresh(), AT_FDCWD, target);
  if (reason == EEXIST) return is_taken();
  if (reason != 0) return cannot_write_to(target, reason);
  return ok();
}

// Where the old one is then.
Result<fs::path> StagedSkill::exchange(const fs::path& target) const {
  if (::renameat2(AT_FDCWD, fresh().c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    return fresh();
  }
  if (errno != EINVAL && errno != ENOSYS) return cannot_write_to(target, errno);
  // A file system that cannot exchange two names.
  fs::path old = part_ / "old";
  if (::rename(target.c_str(), old.c_str()) != 0) return cannot_write_to(target, errno);
  if (::rename(fresh().c_str(), target.c_str()) == 0) return old;
  const int reason = errno;
  std::ignore = ::rename(old.c_str(), target.c_str());
  return cannot_write_to(target, reason);
}

bool StagedSkill::exchange_back(const fs::path& target, const fs::path& away) const {
  if (away == fresh()) {
    return ::renameat2(AT_FDCWD, away.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0;
  }
  return ::rename(target.c_str(), fresh().c_str()) == 0 &&
         ::rename(away.c_str(), target.c_str()) == 0;
}

Result<fs::path> StagedSkill::put_in_place(Old old, const MayGo& may_go) {
  const fs::path target = skills_ / slug_;
  TRY_VOID(note_inode());
  if (old == Old::none) {
    TRY_VOID(take_free_place(target));
    return fs::path();
  }
  TRY(const ReplacedFolder replaced, ReplacedFolder::open(skills_));
  TRY(const fs::path away, exchange(target));
  const fs::path trash = part_ / "trash";
  if (may_go(away) && ::rename(away.c_str(), trash.c_str()) == 0) return fs::path();
  auto kept = replaced.keep(away, slug_);
  if (kept || exchange_back(target, away)) return kept;
  return fail(errc::file_write_failed,
              kept.error().message() + "; what was there is in " + away.string());
}

}  // namespace clawperator::hub
