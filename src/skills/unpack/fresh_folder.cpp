#include "skills/unpack/fresh_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::unpack {

namespace fs = std::filesystem;

namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0755;

std::unexpected<Error> not_written(const fs::path& path, std::string_view why) {
  return fail(errc::file_write_failed,
              "cannot write " + harmless_text(path.string(), "?") + ": " + std::string(why));
}

// `path` is emptied; it itself stays.
void remove_contents(const fs::path& path) {
  std::error_code ignored;
  std::vector<fs::path> contents;
  for (fs::directory_iterator at(path, ignored), end; at != end; at.increment(ignored)) {
    contents.push_back(at->path());
  }
  for (const fs::path& entry : contents) fs::remove_all(entry, ignored);
}

}  // namespace

Result<FreshFolder> FreshFolder::open(fs::path path) {
  const bool is_new = ::mkdir(path.c_str(), kFolderMode) == 0;
  if (!is_new && errno != EEXIST) return not_written(path, std::strerror(errno));
  FileHandle folder(::open(path.c_str(), kFolderFlags));
  if (!folder.is_open()) return not_written(path, std::strerror(errno));
  std::error_code error;
  const bool is_empty = fs::is_empty(path, error);
  if (error) return not_written(path, error.message());
  if (!is_empty) return not_written(path, "the folder is not empty");
  return FreshFolder(std::move(path), std::move(folder), is_new);
}

FreshFolder::FreshFolder(fs::path path, FileHandle folder, bool is_new)
    : path_(std::move(path)), folder_(std::move(folder)), is_new_(is_new) {}

FreshFolder::~FreshFolder() {
  if (!folder_.is_open()) return;
  remove_contents(path_);
  if (is_new_) ::rmdir(path_.c_str());
}

// An empty path is the folder itself.
Result<FileHandle> FreshFolder::folder_of(std::string_view path) const {
  FileHandle here(::openat(folder_.get(), ".", kFolderFlags));
  for (std::size_t at = 0; here.is_open() && at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part(path.substr(at, end - at));
    if (::mkdirat(here.get(), part.c_str(), kFolderMode) != 0 && errno != EEXIST) {
      return cannot_write(path, errno);
    }
    here = FileHandle(::openat(here.get(), part.c_str(), kFolderFlags));
    at = end + 1;
  }
  if (!here.is_open()) return cannot_write(path, errno);
  return here;
}

Result<void> FreshFolder::make_folder(std::string_view path) {
  TRY_VOID(folder_of(path));
  return ok();
}

Result<FileHandle> FreshFolder::create_file(std::string_view path, mode_t mode) {
  const std::size_t slash = path.rfind('/');
  TRY(const FileHandle parent, folder_of(slash == path.npos ? "" : path.substr(0, slash)));
  const std::string name(slash == path.npos ? path : path.substr(slash + 1));
  FileHandle file(::openat(parent.get(), name.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.is_open()) return cannot_write(path, errno);
  return file;
}

std::unexpected<Error> FreshFolder::cannot_write(std::string_view path, int reason) const {
  return not_written(path_ / path, std::strerror(reason));
}

}  // namespace clawperator::unpack
