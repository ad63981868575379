#include "skills/serve/skill_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"

namespace clawperator::skills_served {
namespace {

constexpr std::size_t kMaxDepth = 16;       // skills nest two or three folders
constexpr std::size_t kMaxNames = 4096;     // also of folders and links, which are no files
constexpr std::size_t kLongestPath = 1024;  // relative to the skill's folder

std::unexpected<Error> too_much(const std::string& what) {
  return fail(errc::limit, "the skill has more than " + what);
}

Result<std::vector<std::string>> names_in(const FileHandle& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(
      ::fdopendir(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), ::closedir);
  if (!entries) return fail(errc::io, "the skill's folder cannot be read");
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name.starts_with('.') || name == "node_modules") continue;
    if (names.size() == kMaxNames) return too_much(std::to_string(kMaxNames) + " names");
    names.emplace_back(name);
  }
  return names;
}

bool is_skill(const FileHandle& folder) {
  return ::faccessat(folder.get(), std::string(kSkillFile).c_str(), F_OK, 0) == 0;
}

}  // namespace

Result<SkillFolder> SkillFolder::open(const std::filesystem::path& path) {
  FileHandle handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open()) return fail(errc::io, "the skill's folder cannot be read");
  SkillFolder folder(std::move(handle));
  TRY_VOID(folder.list(folder.folder_, "", 0));
  std::ranges::sort(folder.files_);
  return folder;
}

Result<void> SkillFolder::list(const FileHandle& folder, const std::string& prefix,
                               std::size_t depth) {
  if (depth > kMaxDepth) return too_much(std::to_string(kMaxDepth) + " folders in each other");
  TRY(const std::vector<std::string> names, names_in(folder));
  seen_ += names.size();
  if (seen_ > kMaxNames) return too_much(std::to_string(kMaxNames) + " names");
  for (const std::string& name : names) {
    const std::string path = prefix + name;
    if (path.size() > kLongestPath) return too_much("1024 bytes in a path");
    struct stat found{};
    if (::fstatat(folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(found.st_mode)) {
      bytes_ += static_cast<std::size_t>(found.st_size);
      files_.push_back(path);
      if (files_.size() > kMostFiles) return too_much(std::to_string(kMostFiles) + " files");
      if (bytes_ > kMostBytes) return too_much(std::to_string(kMostBytes) + " bytes");
    } else if (S_ISDIR(found.st_mode)) {
      const FileHandle below(
          ::openat(folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!below.is_open()) return fail(errc::io, "cannot read " + path + " of the skill");
      if (is_skill(below)) continue;
      TRY_VOID(list(below, path + "/", depth + 1));
    }
  }
  return ok();
}

Result<std::string> SkillFolder::read(const std::string& file, std::size_t most) const {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // a pipe in the file's place must not block
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const FileHandle open(
      static_cast<int>(::syscall(SYS_openat2, folder_.get(), file.c_str(), &how, sizeof how)));
  struct stat found{};
  if (!open.is_open() || ::fstat(open.get(), &found) != 0 || !S_ISREG(found.st_mode)) {
    return fail(errc::io, "cannot read " + file + " of the skill");
  }
  return read_file(open, file, most);
}

}  // namespace clawperator::skills_served
