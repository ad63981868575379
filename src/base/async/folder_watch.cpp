#include "base/async/folder_watch.hpp"

#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <asio/posix/stream_descriptor.hpp>
#include <filesystem>

#include "base/async/parallel.hpp"

namespace base {
namespace {

constexpr std::uint32_t kChanges =
    IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR;
constexpr std::uint32_t kArrivals = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR;

asio::awaitable<void> wait_readable(int descriptor) {
  asio::posix::stream_descriptor watched(co_await asio::this_coro::executor);
  asio::error_code error;
  watched.assign(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), error);
  if (error) co_return co_await sleep_for(std::chrono::hours(24));
  co_await watched.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
}

}  // namespace

FolderWatch::FolderWatch(std::string folder)
    : folder_(std::move(folder)), descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  renew();
}

FolderWatch::~FolderWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderWatch::renew() {
  if (descriptor_ < 0) return;
  std::array<char, 4096> events{};
  while (::read(descriptor_, events.data(), events.size()) > 0) {
  }
  // To add a folder again changes nothing; a folder that was created again is a different one.
  const auto watch_folder = [&] {
    return ::inotify_add_watch(descriptor_, folder_.c_str(), kChanges) >= 0;
  };
  watching_ = watch_folder();
  if (watching_) {
    if (above_ >= 0) ::inotify_rm_watch(descriptor_, std::exchange(above_, -1));
    return;
  }
  const auto above = std::filesystem::path(folder_).parent_path();
  above_ = ::inotify_add_watch(descriptor_, above.c_str(), kArrivals);
  watching_ = watch_folder() || above_ >= 0;  // it may exist by now
}

asio::awaitable<void> wait_change(FolderWatch* watch, std::chrono::milliseconds at_most) {
  using namespace parallel;
  if (watch->descriptor() < 0) {
    co_await sleep_for(at_most);
  } else {
    co_await (wait_readable(watch->descriptor()) || sleep_for(at_most));
  }
  watch->renew();
}

}  // namespace base
