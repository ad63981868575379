#include "base/system/file_lock.hpp"

#include <fcntl.h>

#include <cerrno>
#include <thread>

namespace base {
namespace {

constexpr std::chrono::seconds kLockLimit{5};    // see the header
constexpr std::chrono::milliseconds kAgain{10};  // a small file is written faster

Result<bool> lock_now(const FileHandle& file, const std::filesystem::path& path) {
  const Locking locking = file.is_open() ? try_lock(file) : Locking::failed;
  if (locking == Locking::failed) return cannot("lock", path, errc::io, errno);
  return locking == Locking::locked;
}

std::unexpected<Error> held_too_long(const std::filesystem::path& path) {
  return fail(errc::deadline_exceeded, "another process keeps " + path.string() + " locked");
}

}  // namespace

FileHandle open_lock_file(const std::filesystem::path& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  return FileHandle(::open(path.c_str(), kFlags, 0600));
}

Task<FileHandle> lock_folder(std::filesystem::path folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path path = folder / kFolderLockName;
  FileHandle file = open_lock_file(path);
  const auto give_up_at = Clock::now() + kLockLimit;
  while (true) {
    CO_TRY(const bool locked, lock_now(file, path));
    if (locked) co_return file;
    if (Clock::now() >= give_up_at) co_return held_too_long(path);
    co_await sleep_for(kAgain);
  }
}

Result<FileHandle> lock_folder_blocking(const std::filesystem::path& folder) {
  FileHandle file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (auto waited = kAgain; waited < kLockLimit; waited += kAgain) {
    TRY(const bool locked, lock_now(file, folder));
    if (locked) return file;
    std::this_thread::sleep_for(kAgain);
  }
  return held_too_long(folder);
}

}  // namespace base
