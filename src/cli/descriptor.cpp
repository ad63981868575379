#include "cli/descriptor.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <climits>
#include <cstring>

namespace clawperator::cli {

namespace {

constexpr std::size_t kFileWriteSize = 256 * 1024;

std::unexpected<Error> failure(const char* what) {
  return fail(errc::io, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

struct Descriptor::Watch {
  asio::posix::stream_descriptor epoll;
};

Descriptor::Descriptor(const asio::any_io_executor& executor, int fd, Direction direction)
    : executor_(executor), fd_(fd), direction_(direction), writing_(first_writing()) {}

Descriptor::~Descriptor() = default;

bool Descriptor::is_ready() const {
  pollfd asked{fd_, static_cast<short>(direction_ == Direction::in ? POLLIN : POLLOUT), 0};
  return ::poll(&asked, 1, 0) != 0;
}

Descriptor::Writing Descriptor::first_writing() const {
  struct stat about{};
  return ::fstat(fd_, &about) == 0 && S_ISREG(about.st_mode) ? Writing::whole : Writing::what_fits;
}

ssize_t Descriptor::write(ByteView bytes) {
  if (writing_ == Writing::whole) {
    return ::write(fd_, bytes.data(), std::min(bytes.size(), kFileWriteSize));
  }
  if (writing_ == Writing::what_fits) {
    const iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    const ssize_t size = ::pwritev2(fd_, &part, 1, -1, RWF_NOWAIT);
    if (size >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return size;
    writing_ = Writing::pieces;
  }
  return ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

Result<void> Descriptor::watch() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return failure("cannot wait");
  watch_ = std::make_unique<Watch>(asio::posix::stream_descriptor(executor_, epoll));
  epoll_event wanted{};
  wanted.events = direction_ == Direction::in ? EPOLLIN : EPOLLOUT;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd_, &wanted) != 0) return failure("cannot wait");
  return ok();
}

Task<void> Descriptor::wait_ready() {
  while (!is_ready()) {
    if (!watch_) CO_TRY_VOID(watch());
    const auto [error] =
        co_await watch_->epoll.async_wait(asio::posix::stream_descriptor::wait_read, kNoThrow);
    if (error) co_return fail(errc::cancelled, "cancelled");
  }
  co_return ok();
}

Task<std::size_t> Descriptor::read_some(std::span<std::byte> into) {
  for (;;) {
    CO_TRY_VOID(co_await wait_ready());
    const ssize_t size = ::read(fd_, into.data(), into.size());
    if (size > 0) co_return static_cast<std::size_t>(size);
    if (size == 0) co_return fail(errc::closed, "end of input");
    if (errno != EINTR && errno != EAGAIN) co_return failure("cannot read");
  }
}

Task<void> Descriptor::write_all(ByteView bytes) {
  while (!bytes.empty()) {
    CO_TRY_VOID(co_await wait_ready());
    const ssize_t size = write(bytes);
    if (size >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(size));
    } else if (errno == EPIPE) {
      co_return fail(errc::closed, "the output has no reader any more");
    } else if (errno != EINTR && errno != EAGAIN) {
      co_return fail(errc::io, std::strerror(errno));
    }
  }
  co_return ok();
}

}  // namespace clawperator::cli
