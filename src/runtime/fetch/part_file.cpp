#include "runtime/fetch/part_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "adbproto/crypto/sha256.hpp"
#include "base/error_members.hpp"
#include "base/random.hpp"
#include "base/system/errc.hpp"
#include "base/system/file_lock.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = 256 * 1024;

std::unexpected<Error> write_failed(const fs::path& path, const std::string& why) {
  return fail_with(errc::file_write_failed, "cannot write " + path.string() + ": " + why,
                   ErrorMembers().text("path", path.string()));
}

bool is_full(int reason) { return reason == ENOSPC || reason == EDQUOT || reason == EFBIG; }

// Whether the open file still has that name: a process that finished before us has renamed it.
bool is_still_at(int file, const fs::path& path) {
  struct stat opened{}, named{};
  return ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

PartFile::PartFile(fs::path target, OnProgress on_progress)
    : target_(std::move(target)),
      path_(target_.string() + ".part"),
      on_progress_(std::move(on_progress)) {}

PartFile::~PartFile() {
  if (file_.is_open() && size_ == 0) discard();
}

std::unexpected<Error> PartFile::cannot(std::string_view verb, int reason) const {
  return write_failed(path_, std::string(verb) + ": " + std::strerror(reason));
}

Result<std::unique_ptr<PartFile>> PartFile::open(fs::path target, OnProgress on_progress) {
  std::error_code error;
  const auto there = fs::status(target, error);
  if (fs::is_directory(there)) return write_failed(target, "it is a folder");
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    return write_failed(target, "it is no plain file");
  }
  error.clear();
  const fs::path folder = target.parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return write_failed(folder, error.message());
  std::unique_ptr<PartFile> part(new PartFile(std::move(target), std::move(on_progress)));
  TRY_VOID(part->open_locked());
  return part;
}

Result<void> PartFile::open_locked() {
  // Another download may rename or remove FILE.part before we lock it, but not each time.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    file_ = FileHandle(
        ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
    if (!file_.is_open()) return cannot("open", errno);
    if (base::try_lock(file_) != base::Locking::locked) {
      return fail(errc::execution_conflict_in_flight,
                  "another download of " + target_.string() + " is running.");
    }
    struct stat found{};
    if (::fstat(file_.get(), &found) != 0) return cannot("stat", errno);
    if (!S_ISREG(found.st_mode)) return write_failed(path_, "it is no plain file");
    if (!is_still_at(file_.get(), path_)) continue;
    size_ = static_cast<std::uint64_t>(found.st_size);
    return ok();
  }
  return write_failed(path_, "other processes keep replacing it");
}

Result<void> PartFile::begin(const HttpBody& body) {
  whole_ = body.size;
  if (body.offset == 0) TRY_VOID(truncate());
  if (body.offset != size_) return write_failed(path_, "its size has changed meanwhile");
  if (::lseek(file_.get(), 0, SEEK_END) < 0) return cannot("seek", errno);
  return ok();
}

Result<void> PartFile::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = errno;
      if (is_full(reason)) discard();
      return cannot("write", reason);
    }
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (on_progress_) on_progress_(size_, whole_);
  return ok();
}

Result<void> PartFile::truncate() {
  if (::ftruncate(file_.get(), 0) != 0) return cannot("truncate", errno);
  size_ = 0;
  return ok();
}

void PartFile::discard() {
  ::unlink(path_.c_str());
  file_.reset();
}

Result<void> PartFile::become_target() {
  if (::fsync(file_.get()) != 0) return cannot("fsync", errno);
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    return write_failed(target_, std::strerror(errno));
  }
  file_.reset();
  return ok();
}

Result<std::string> file_sha256(const fs::path& path, const std::stop_token& stop) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const auto unreadable = [&] {
    return fail(errc::io, "cannot read " + path.string() + ": " + std::strerror(errno));
  };
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) return unreadable();
  if (!S_ISREG(found.st_mode)) return fail(errc::io, path.string() + " is no plain file");
  adbproto::Sha256 hash;
  std::vector<std::byte> block(kBlock);
  for (;;) {
    if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
    const ssize_t size = ::read(file.get(), block.data(), block.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return unreadable();
    if (size == 0) return hash.finish();
    hash.update(ByteView(block).first(static_cast<std::size_t>(size)));
  }
}

Result<void> link_file(const fs::path& from, const fs::path& path) {
  TRY(const std::string digits, random_hex(8));
  const std::string draft = path.string() + "." + digits + ".part";
  std::error_code error;
  if (::link(from.c_str(), draft.c_str()) != 0) fs::copy_file(from, draft, error);
  const bool renamed = !error && ::rename(draft.c_str(), path.c_str()) == 0;
  const std::string why = error ? error.message() : std::strerror(errno);
  ::unlink(draft.c_str());  // rename leaves it where both are the same file already
  return renamed ? ok() : write_failed(path, why);
}

}  // namespace clawperator
