#include "skills/hub/staged_skill.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/files.hpp"
#include "base/number.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/blocking_lock.hpp"
#include "skills/hub/names.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPart = ".part";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kMaxInodeFile = 64;

std::unexpected<Error> cannot_write_to(const fs::path& path, int reason) {
  return fail(errc::file_write_failed,
              "cannot write " + path.string() + ": " + std::strerror(reason));
}

bool is_there(const fs::path& path) {
  struct stat found{};
  return ::lstat(path.c_str(), &found) == 0;
}

std::optional<std::uint64_t> inode_of(const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return found.st_ino;
}

std::string random_digits() {
  std::uint64_t random = 0;
  std::ignore = ::getrandom(&random, sizeof random, 0);
  std::array<char, kDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random));
  return digits.data();
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

// The slug of ".<slug>.<16 digits>.part"; empty for any other name.
std::string slug_of_part(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kPart)) return {};
  name = name.substr(1, name.size() - 1 - kPart.size());
  const auto dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string_view digits = name.substr(dot + 1);
  const bool is_part = digits.size() == kDigits &&
                       digits.find_first_not_of("0123456789abcdef") == digits.npos &&
                       is_slug(name.substr(0, dot));
  return is_part ? std::string(name.substr(0, dot)) : std::string();
}

FileHandle open_folder(const fs::path& folder) {
  return FileHandle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

// Its new name.
Result<fs::path> keep_replaced(const fs::path& skills, const std::string& slug,
                               const fs::path& folder) {
  const fs::path all = skills / ".hub-replaced";
  if (::mkdir(all.c_str(), 0755) != 0 && errno != EEXIST) return cannot_write_to(all, errno);
  const std::string name = slug + "-" + time_now();
  for (int number = 1;; ++number) {
    fs::path kept = all / (number == 1 ? name : name + "-" + std::to_string(number));
    if (::renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, kept.c_str(), RENAME_NOREPLACE) == 0) {
      return kept;
    }
    if (errno == EINVAL && !is_there(kept) && ::rename(folder.c_str(), kept.c_str()) == 0) {
      return kept;
    }
    constexpr int kMost = 1000;
    if (errno != EEXIST || number == kMost) return cannot_write_to(kept, errno);
  }
}

void remove_all_of(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// What a run that was killed has left in `part`. False where something of the user's is still
// there.
bool recover_part(const fs::path& skills, const std::string& slug, const fs::path& part,
                  bool* is_in_place) {
  const fs::path target = skills / slug;
  const fs::path old = part / "old";
  if (is_there(old)) {
    const bool saved = is_there(target) ? keep_replaced(skills, slug, old).has_value()
                                        : ::rename(old.c_str(), target.c_str()) == 0;
    if (!saved) return false;
  }
  const auto text = read_file(part / "inode", kMaxInodeFile);
  const auto inode = text ? whole_number<std::uint64_t>(*text) : std::nullopt;
  if (!inode) return true;
  const auto staged = inode_of(part / "new");
  if (staged && *staged != *inode && !keep_replaced(skills, slug, part / "new")) return false;
  *is_in_place = inode_of(target) == inode;
  return true;
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

std::vector<std::string> recover_skills(const fs::path& skills) {
  std::vector<std::string> in_place;
  std::error_code error;
  std::vector<fs::path> parts;
  auto at = fs::directory_iterator(skills, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    if (!slug_of_part(at->path().filename().string()).empty()) parts.push_back(at->path());
  }
  for (const fs::path& part : parts) {
    const FileHandle lock = open_folder(part);
    if (!lock.is_open() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    const std::string slug = slug_of_part(part.filename().string());
    bool is_in_place = false;
    if (recover_part(skills, slug, part, &is_in_place)) remove_all_of(part);
    if (is_in_place) in_place.push_back(slug);
  }
  return in_place;
}

StagedSkill::StagedSkill(fs::path skills, std::string slug, fs::path part, FileHandle lock)
    : skills_(std::move(skills)),
      slug_(std::move(slug)),
      part_(std::move(part)),
      lock_(std::move(lock)) {}

StagedSkill::StagedSkill(StagedSkill&&) noexcept = default;

// Whatever went wrong, nothing of the user's goes with it.
StagedSkill::~StagedSkill() {
  bool is_in_place = false;
  if (lock_.is_open() && recover_part(skills_, slug_, part_, &is_in_place)) remove_all_of(part_);
}

Result<StagedSkill> StagedSkill::begin(const fs::path& skills, const std::string& slug) {
  const fs::path part = skills / ("." + slug + "." + random_digits() + std::string(kPart));
  if (::mkdir(part.c_str(), 0700) != 0) return cannot_write_to(part, errno);
  FileHandle lock = open_folder(part);
  if (!lock.is_open() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return cannot_write_to(part, errno);
  }
  return StagedSkill(skills, slug, part, std::move(lock));
}

Result<void> StagedSkill::note_inode() const {
  const auto inode = inode_of(fresh());
  if (!inode) return cannot_write_to(fresh(), errno);
  auto written = write_file_atomically(part_ / "inode", std::to_string(*inode));
  return written ? ok() : fail(errc::file_write_failed, written.error().message());
}

// Afterwards the old one is `old` in the part.
Result<void> StagedSkill::exchange(const fs::path& target) const {
  const fs::path old = part_ / "old";
  if (::renameat2(AT_FDCWD, fresh().c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    return ::rename(fresh().c_str(), old.c_str()) == 0 ? ok() : cannot_write_to(old, errno);
  }
  if (errno != EINVAL && errno != ENOSYS) return cannot_write_to(target, errno);
  // A file system that cannot exchange two names.
  if (::rename(target.c_str(), old.c_str()) != 0) return cannot_write_to(target, errno);
  if (::rename(fresh().c_str(), target.c_str()) == 0) return ok();
  const int reason = errno;
  std::ignore = ::rename(old.c_str(), target.c_str());
  return cannot_write_to(target, reason);
}

Result<fs::path> StagedSkill::put_in_place(Old old) {
  const fs::path target = skills_ / slug_;
  TRY_VOID(note_inode());
  if (old == Old::none) {
    if (is_there(target)) {
      return fail(errc::hub_local_changes, target.string() + " has come to be there meanwhile");
    }
    if (::rename(fresh().c_str(), target.c_str()) == 0) return fs::path();
    return cannot_write_to(target, errno);
  }
  TRY_VOID(exchange(target));
  if (old == Old::kept) return keep_replaced(skills_, slug_, part_ / "old");
  if (::rename((part_ / "old").c_str(), (part_ / "trash").c_str()) != 0) {
    return cannot_write_to(part_, errno);
  }
  return fs::path();
}

}  // namespace clawperator::hub
