#pragma once
// Tells when something in the log's folder has changed (inotify). It may miss things: where there
// is no folder yet, and where the system has no watches left. So one looks every now and then too.

#include <string>

namespace clawperator {

class LogWatch {
 public:
  explicit LogWatch(std::string folder);
  ~LogWatch();
  LogWatch(const LogWatch&) = delete;
  LogWatch& operator=(const LogWatch&) = delete;

  // Readable after a change; -1 where there is no inotify.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Forgets what was told, and watches the folder if it was not there before.
  void renew();

 private:
  std::string folder_;
  int descriptor_;
};

}  // namespace clawperator
