#include "skills/sync/local_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> unreadable(const fs::path& path, const std::string& why) {
  return fail(errc::io, "cannot read " + path.string() + ": " + why);
}

enum class Entry { absent, file, folder, other };

Result<Entry> entry_at(const fs::path& path, struct stat* found) {
  if (::lstat(path.c_str(), found) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Entry::absent;
    return unreadable(path, std::strerror(errno));
  }
  if (S_ISDIR(found->st_mode)) return Entry::folder;
  return S_ISREG(found->st_mode) ? Entry::file : Entry::other;
}

// Everything below, but for folders.
Result<std::vector<std::string>> files_below(const fs::path& folder, const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  auto at = fs::recursive_directory_iterator(folder / path, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->symlink_status(error).type() == fs::file_type::directory) continue;
    files.push_back(at->path().lexically_relative(folder).generic_string());
  }
  if (error) return unreadable(folder / path, error.message());
  return files;
}

Result<LocalFile> hashed(const fs::path& path, const struct stat& found) {
  LocalFile local{LocalFile::Kind::file, {}, {}};
  TRY_VOID(git_did(git_odb_hashfile(&local.file.id, path.c_str(), GIT_OBJECT_BLOB)));
  local.file.executable = (found.st_mode & S_IXUSR) != 0;
  return local;
}

}  // namespace

Result<LocalFile> look_at(const fs::path& folder, const std::string& path) {
  struct stat found{};
  for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    TRY(const Entry entry, entry_at(folder / parent, &found));
    if (entry == Entry::absent) return LocalFile{};
    if (entry != Entry::folder) return LocalFile{LocalFile::Kind::behind, {}, {parent}};
  }
  TRY(const Entry entry, entry_at(folder / path, &found));
  if (entry == Entry::absent) return LocalFile{};
  if (entry == Entry::file) return hashed(folder / path, found);
  if (entry == Entry::other) return LocalFile{LocalFile::Kind::other, {}, {path}};
  TRY(auto files, files_below(folder, path));
  return LocalFile{LocalFile::Kind::folder, {}, std::move(files)};
}

}  // namespace clawperator::skills
