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
#include "skills/unpack/folder_below.hpp"

namespace clawperator::unpack {

namespace fs = std::filesystem;

namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0755;

std::unexpected<Error> not_written(const fs::path& path, std::string_view why) {
  return fail(errc::file_write_failed,
              "cannot write " + harmless_text(path.string(), "?") + ": " + std::string(why));
}

}  // namespace

void remove_contents(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> contents;
  for (fs::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
    contents.push_back(at->path());
  }
  for (const fs::path& entry : contents) fs::remove_all(entry, ignored);
}

int write_bytes(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

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

Result<void> FreshFolder::make_folder(std::string_view path) {
  if (!folder_below(folder_.get(), path).is_open()) return cannot_write(path, errno);
  return ok();
}

Result<FileHandle> FreshFolder::create_file(std::string_view path, mode_t mode) {
  const FileHandle parent = folder_below(folder_.get(), parent_of(path));
  if (!parent.is_open()) return cannot_write(path, errno);
  FileHandle file(::openat(parent.get(), last_part(path).c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.is_open()) return cannot_write(path, errno);
  return file;
}

std::unexpected<Error> FreshFolder::cannot_write(std::string_view path, int reason) const {
  return not_written(path_ / path, std::strerror(reason));
}

}  // namespace clawperator::unpack
