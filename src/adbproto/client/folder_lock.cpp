#include "adbproto/client/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

namespace adbproto {
namespace {

constexpr auto kLook = std::chrono::milliseconds(5);
constexpr auto kPatience = std::chrono::seconds(5);  // who holds it writes a small file

std::unexpected<Error> lock_failure(const std::filesystem::path& file, int error) {
  return fail(errc::io,
              "cannot lock " + file.string() + ": " + std::generic_category().message(error));
}

}  // namespace

Task<FileHandle> lock_folder(std::filesystem::path folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path file = folder / kFolderLockName;
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileHandle lock(::open(file.c_str(), kFlags, 0600));
  if (!lock.is_open()) co_return lock_failure(file, errno);
  const auto give_up_at = Clock::now() + kPatience;
  while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) co_return lock_failure(file, errno);
    if (Clock::now() >= give_up_at) {
      co_return fail(errc::deadline_exceeded, "another process keeps " + file.string() + " locked");
    }
    co_await sleep_for(kLook);
  }
  co_return lock;
}

}  // namespace adbproto
