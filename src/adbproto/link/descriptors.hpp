#pragma once
// Descriptors that are no links: a folder that is watched, an output that is written to.

#include <asio/awaitable.hpp>

#include "adbproto/link/task.hpp"
#include "base/bytes.hpp"

namespace adbproto {

// Tells when something in a folder has changed (inotify). A folder that is not there yet is waited
// for by watching the one above it. It may miss things, where the system has no watches left or the
// file system tells nothing, so one looks every now and then too.
class FolderWatch {
 public:
  explicit FolderWatch(std::string folder);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Readable after a change; -1 where there is no inotify.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Whether changes will be told at all.
  [[nodiscard]] bool is_watching() const { return watching_; }
  // Forgets what was told, and watches the folder if it was not there before.
  void renew();

 private:
  std::string folder_;
  int descriptor_;
  int above_ = -1;
  bool watching_ = false;
};

// Until something has changed, or so much time has passed; renewed then.
asio::awaitable<void> wait_change(FolderWatch* watch, std::chrono::milliseconds at_most);

// For descriptors that are no links: a pipe, a terminal, whatever a user names as an output. They
// are opened with O_NONBLOCK, so that a reader that stalls holds up nobody but its writer.

// Until it may take more; `descriptor` must stay open meanwhile.
asio::awaitable<void> await_writable(int descriptor);

// How many bytes it took at once: 0 when it takes none now. errc::io carries the system's text.
Result<std::size_t> write_now(int descriptor, ByteView bytes);

}  // namespace adbproto
