#include "base/system/staged_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/files.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace base {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnd = ".part";
constexpr std::size_t kDigits = 16;

// 0, or an errno.
int rename_to(const fs::path& from, const fs::path& to, unsigned flags = 0) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0 ? 0 : errno;
}

}  // namespace

FileHandle open_real_folder(const fs::path& folder) {
  return FileHandle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

Result<StagedFolder> StagedFolder::begin(const fs::path& target) {
  TRY(const std::string digits, random_hex(kDigits / 2));
  fs::path part =
      target.parent_path() / ("." + target.filename().string() + "." + digits + std::string(kEnd));
  if (::mkdir(part.c_str(), 0700) != 0) return cannot_write(part, errno);
  FileHandle lock = open_real_folder(part);
  if (!lock.is_open() || try_lock(lock) != Locking::locked) return cannot_write(part, errno);
  return StagedFolder(target, std::move(part), std::move(lock));
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (is_held()) fs::remove_all(part_, ignored);
}

int StagedFolder::take_free_place() const {
  return rename_to_free(AT_FDCWD, fresh(), AT_FDCWD, target_);
}

int StagedFolder::take_empty_place() const { return rename_to(fresh(), target_); }

Result<fs::path> StagedFolder::exchange() const {
  int reason = rename_to(fresh(), target_, RENAME_EXCHANGE);
  if (reason == 0) return fresh();
  if (reason != EINVAL && reason != ENOSYS) return cannot_write(target_, reason);
  // For a file system that cannot exchange two names.
  fs::path old = part_ / "old";
  reason = rename_to(target_, old);
  if (reason != 0) return cannot_write(target_, reason);
  reason = rename_to(fresh(), target_);
  if (reason == 0) return old;
  std::ignore = rename_to(old, target_);
  return cannot_write(target_, reason);
}

bool StagedFolder::take_back(const fs::path& away) const {
  if (away == fresh()) return rename_to(away, target_, RENAME_EXCHANGE) == 0;
  return rename_to(target_, fresh()) == 0 && (away.empty() || rename_to(away, target_) == 0);
}

std::string_view StagedFolder::target_name(std::string_view part_name) {
  if (!part_name.starts_with('.') || !part_name.ends_with(kEnd)) return {};
  part_name = part_name.substr(1, part_name.size() - 1 - kEnd.size());
  const auto dot = part_name.rfind('.');
  const bool is_part = dot != part_name.npos && is_hex(part_name.substr(dot + 1), kDigits);
  return is_part ? part_name.substr(0, dot) : std::string_view();
}

void StagedFolder::remove_left(const fs::path& target, Filled filled) {
  std::error_code error;
  for (const auto& entry : entries_in(target.parent_path(), error)) {
    const fs::path& part = entry.path();
    if (target_name(part.filename().string()) != target.filename().string()) continue;
    const FileHandle lock = open_real_folder(part);
    if (!lock.is_open()) {  // a link: its target does not belong to us
      fs::remove(part, error);
      continue;
    }
    if (filled == Filled::stays && try_lock(lock) != Locking::locked) continue;
    std::ignore = rename_to_free(AT_FDCWD, part / "old", AT_FDCWD, target);
    fs::remove_all(part, error);
  }
}

}  // namespace base
