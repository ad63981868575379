#include "skills/hub/staged_skill.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/number.hpp"
#include "base/system/errc.hpp"
#include "base/system/file_lock.hpp"
#include "base/text.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/plain_file.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// SKILLS/.hub-replaced/<slug>-<time>/: replaced content that may be a user's work.
class ReplacedFolder {
 public:
  // Makes it, without following a link. file_write_failed.
  static Result<ReplacedFolder> open(const fs::path& skills) {
    fs::path path = skills / ".hub-replaced";
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return cannot_write(path, errno);
    FileHandle folder = open_real_folder(path);
    if (!folder.is_open()) return cannot_write(path, errno);
    return ReplacedFolder(std::move(path), std::move(folder));
  }

  ReplacedFolder(ReplacedFolder&&) noexcept = default;
  ReplacedFolder& operator=(ReplacedFolder&&) = delete;
  ReplacedFolder(const ReplacedFolder&) = delete;
  ReplacedFolder& operator=(const ReplacedFolder&) = delete;
  // Removes the folder if nothing was kept in it.
  ~ReplacedFolder() {
    if (folder_.is_open()) ::rmdir(path_.c_str());
  }

  // Returns its new path.
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

constexpr std::size_t kMaxInodeFile = 64;  // an inode's number has 20 digits at most

// nullopt: the path does not exist.
std::optional<std::uint64_t> inode_of(const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return found.st_ino;
}

Result<void> keep_replaced(const fs::path& skills, const std::string& slug, const fs::path& path) {
  TRY(const ReplacedFolder replaced, ReplacedFolder::open(skills));
  TRY_VOID(replaced.keep(path, slug));
  return ok();
}

// Handles the rest of a killed run in `part`. Returns whether its new folder is in place. After an
// error some of the user's content is still there.
Result<bool> recover_part(const fs::path& skills, const std::string& slug, const fs::path& part) {
  const fs::path target = skills / slug;
  const fs::path old = part / "old";
  if (inode_of(old) && inode_of(target)) {
    TRY_VOID(keep_replaced(skills, slug, old));
  } else if (inode_of(old) && ::rename(old.c_str(), target.c_str()) != 0) {
    return cannot_write(target, errno);
  }
  const auto note = read_plain_file(part / "inode", kMaxInodeFile);
  if (note && !*note) return false;  // the folders have not been exchanged
  const auto inode = note ? whole_number<std::uint64_t>(**note) : std::nullopt;
  const fs::path fresh = part / "new";
  const auto staged = inode_of(fresh);
  if (staged && staged != inode) TRY_VOID(keep_replaced(skills, slug, fresh));
  return inode && inode_of(target) == inode;
}

// Of the skills without an owner's name, or of one owner.
Result<void> recover_below(const Places& places, const std::string& owner,
                           const std::function<Result<void>(const SkillName& name)>& finish) {
  std::error_code ignored;
  const fs::path folder = owner.empty() ? places.skills : places.skills / ("@" + owner);
  for (const auto& entry : entries_in(folder, ignored)) {
    const fs::path& part = entry.path();
    const SkillName name{owner, std::string(StagedFolder::target_name(part.filename().string()))};
    if (!is_slug(name.slug)) continue;
    const FileHandle lock = open_real_folder(part);
    if (!lock.is_open() || try_lock(lock) != Locking::locked) continue;
    const auto is_in_place = recover_part(folder, name.slug, part);
    if (!is_in_place) {
      places.warn(part.string() + " has what a run before has replaced, and it cannot be kept: " +
                  is_in_place.error().message());
      continue;
    }
    if (*is_in_place) TRY_VOID(finish(name));
    fs::remove_all(part, ignored);
  }
  return ok();
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
                            const std::function<Result<void>(const SkillName& name)>& finish) {
  std::error_code ignored;
  TRY_VOID(recover_below(places, "", finish));
  for (const auto& entry : entries_in(places.skills, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('@') || !is_owner(name.substr(1))) continue;
    if (open_real_folder(entry.path()).is_open()) {
      TRY_VOID(recover_below(places, name.substr(1), finish));
    }
  }
  return ok();
}

Result<fs::path> make_owner_folder(const fs::path& skills, const SkillName& name) {
  if (name.owner.empty()) return skills;
  fs::path folder = skills / ("@" + name.owner);
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return cannot_write(folder, errno);
  if (!open_real_folder(folder).is_open()) return cannot_write(folder, errno);
  return folder;
}

// After any failure the user's content stays.
StagedSkill::~StagedSkill() {
  if (!folder_.is_held()) return;
  const auto is_in_place = recover_part(skills_, slug_, folder_.part());
  if (!is_in_place || (*is_in_place && !is_finished_)) folder_.leave_part();
}

Result<StagedSkill> StagedSkill::begin(const fs::path& skills, const std::string& slug) {
  TRY(StagedFolder folder, StagedFolder::begin(skills / slug));
  return StagedSkill(skills, slug, std::move(folder));
}

Result<void> StagedSkill::note_inode() const {
  const auto inode = inode_of(fresh());
  if (!inode) return cannot_write(fresh(), errno);
  return with_code(errc::file_write_failed,
                   write_file_atomically(folder_.part() / "inode", std::to_string(*inode),
                                         ParentFolder::required, Durable::yes));
}

Result<void> StagedSkill::take_free_place(const fs::path& target) const {
  const auto is_taken = [&target] {
    return fail(errc::hub_local_changes, target.string() + " was created meanwhile");
  };
  if (inode_of(target)) return is_taken();
  const int reason = folder_.take_free_place();
  if (reason == EEXIST) return is_taken();
  if (reason != 0) return cannot_write(target, reason);
  return ok();
}

Result<fs::path> StagedSkill::put_in_place(Old old, const MayGo& may_go) {
  const fs::path target = skills_ / slug_;
  TRY_VOID(note_inode());
  if (old == Old::none) {
    TRY_VOID(take_free_place(target));
    return fs::path();
  }
  TRY(const ReplacedFolder replaced, ReplacedFolder::open(skills_));
  TRY(const fs::path away, folder_.exchange());
  const fs::path trash = folder_.part() / "trash";
  if (may_go(away) && ::rename(away.c_str(), trash.c_str()) == 0) return fs::path();
  auto kept = replaced.keep(away, slug_);
  if (kept || folder_.take_back(away)) return kept;
  return fail(errc::file_write_failed,
              kept.error().message() + "; the earlier content is in " + away.string());
}

}  // namespace clawperator::hub
