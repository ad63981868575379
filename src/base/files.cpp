#include "base/files.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"

namespace base {

namespace fs = std::filesystem;

namespace {

std::string system_text() { return std::strerror(errno); }

// Not every file system can be asked.
bool is_on_disk(int fd) { return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP; }

std::string temporary_name() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) {
    random = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  }
  return ".clawperator-" + std::to_string(random) + ".part";
}

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
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

std::unexpected<Error> cannot(std::string_view verb, const fs::path& path, Errc code, int reason) {
  return fail(code,
              "cannot " + std::string(verb) + " " + path.string() + ": " + std::strerror(reason));
}

FileHandle create_draft(int folder, mode_t mode, std::string* name) {
  constexpr int kAttempts = 16;
  for (int attempt = 1;; ++attempt) {
    *name = temporary_name();
    FileHandle file(::openat(folder, name->c_str(),
                             O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
    if (file.is_open() || errno != EEXIST || attempt == kAttempts) return file;
  }
}

Result<std::string> read_file(const fs::path& path, std::size_t limit) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errc::io, "cannot read " + path.string() + ": " + system_text());
  std::string text;
  struct stat found{};
  if (::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode)) {
    text.reserve(std::min(limit, static_cast<std::size_t>(found.st_size)));
  }
  char chunk[65536];
  for (;;) {
    const ssize_t size = ::read(file.get(), chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return fail(errc::io, "cannot read " + path.string() + ": " + system_text());
    if (size == 0) return text;
    text.append(chunk, static_cast<std::size_t>(size));
    if (text.size() > limit) {
      return fail(errc::limit,
                  path.string() + " is longer than " + std::to_string(limit) + " bytes");
    }
  }
}

Result<void> write_file_atomically(const fs::path& path, std::string_view text, ParentFolder parent,
                                   Durable durable, Kept kept) {
  std::error_code ignored;
  const fs::path folder_path = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (parent == ParentFolder::created) fs::create_directories(folder_path, ignored);
  const FileHandle folder(::open(folder_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::string draft;
  const auto give_up = [&](const char* verb) {
    const std::string why = system_text();
    if (!draft.empty()) ::unlinkat(folder.get(), draft.c_str(), 0);
    return fail(errc::io, std::string("cannot ") + verb + " " + path.string() + ": " + why);
  };
  if (!folder.is_open()) return give_up("create");
  const FileHandle file = create_draft(folder.get(), 0600, &draft);
  if (!file.is_open()) return give_up("create");
  const std::string name = path.filename();
  struct stat before{};
  const bool replaces = ::fstatat(folder.get(), name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (kept == Kept::mode && replaces && S_ISREG(before.st_mode))
    ::fchmod(file.get(), before.st_mode & 0777);
  if (write_bytes(file.get(), text) != 0) return give_up("write");
  if (durable == Durable::yes && !is_on_disk(file.get())) return give_up("write");
  if (::renameat(folder.get(), draft.c_str(), folder.get(), name.c_str()) != 0) {
    return give_up("replace");
  }
  return ok();
}

}  // namespace base
