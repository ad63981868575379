#pragma once
// Waits until something in a folder changes.

#include <asio/awaitable.hpp>

#include "base/async/task.hpp"

namespace base {

// Notifies when something in a folder has changed (inotify). For a missing folder it watches the
// parent. It may miss changes if the system has no watches left or the file system reports none, so
// callers also read the folder from time to time.
class FolderWatch {
 public:
  explicit FolderWatch(std::string folder);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Readable after a change; -1 without inotify.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // True if changes are reported at all.
  [[nodiscard]] bool is_watching() const { return watching_; }
  // Clears the pending changes, and watches the folder if it did not exist before.
  void renew();

 private:
  std::string folder_;
  int descriptor_;
  int above_ = -1;
  bool watching_ = false;
};

// Waits until something has changed or the time has passed, then renews the watch.
asio::awaitable<void> wait_change(FolderWatch* watch, std::chrono::milliseconds at_most);

}  // namespace base
