#include "adbproto/client/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

namespace adbproto {
namespace {

std::unexpected<Error> lock_failure(const std::filesystem::path& folder) {
  return fail(Errc::io,
              "cannot lock " + folder.string() + ": " + std::generic_category().message(errno));
}

}  // namespace

Result<FileHandle> lock_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  FileHandle lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.is_open()) return lock_failure(folder);
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return lock_failure(folder);
  }
  return lock;
}

}  // namespace adbproto
