#pragma once
// Waits until something in a folder changes.

#include <asio/awaitable.hpp>

#include "base/async/task.hpp"

namespace base {

// Notifies when something in a folder has changed (inotify). For a missing folder it watches the
// one above it. It may miss changes, where the system has no watches left or the file system
// reports none, so callers also read the folder now and then.
class FolderWatch {
 public:
  explicit FolderWatch(std::string folder);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Readable after a change; -1 where there is no inotify.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Whether changes are reported at all.
  [[nodiscard]] bool is_watching() const { return watching_; }
  // Clears the pending changes, and watches the folder if it was not there before.
  void renew();

 private:
  std::string folder_;
  int descriptor_;
  int above_ = -1;
  bool watching_ = false;
};

// Until something has changed, or so much time has passed; renewed then.
asio::awaitable<void> wait_change(FolderWatch* watch, std::chrono::milliseconds at_most);

}  // namespace base
