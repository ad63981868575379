#include "runtime/device/blocking_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace clawperator {
namespace {

constexpr std::chrono::milliseconds kLockPatience{5000};
constexpr std::chrono::milliseconds kLockLook{20};

}  // namespace

Result<FileHandle> lock_folder_blocking(const std::filesystem::path& folder) {
  FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open()) {
    return fail(errc::io, "cannot open " + folder.string() + ": " + std::strerror(errno));
  }
  for (auto waited = kLockLook; ::flock(handle.get(), LOCK_EX | LOCK_NB) != 0;
       waited += kLockLook) {
    if (errno != EWOULDBLOCK) {
      return fail(errc::io, "cannot lock " + folder.string() + ": " + std::strerror(errno));
    }
    if (waited > kLockPatience) {
      return fail(errc::deadline_exceeded, "another process changes files of " + folder.string());
    }
    std::this_thread::sleep_for(kLockLook);
  }
  return handle;
}

}  // namespace clawperator
