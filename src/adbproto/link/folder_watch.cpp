#include "runtime/log/log_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace clawperator {

LogWatch::LogWatch(std::string folder)
    : folder_(std::move(folder)), descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  renew();
}

LogWatch::~LogWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LogWatch::renew() {
  if (descriptor_ < 0) return;
  std::array<char, 4096> events{};
  while (::read(descriptor_, events.data(), events.size()) > 0) {
  }
  // Adding it again changes nothing; a folder that was made anew is another one.
  ::inotify_add_watch(descriptor_, folder_.c_str(),
                      IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR);
}

}  // namespace clawperator
