#include "base/async/output_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <system_error>

#include "base/async/task.hpp"

namespace base {
namespace {

// For descriptors that do not report readiness; 10 ms are not noticeable.
constexpr auto kBlindPause = std::chrono::milliseconds(10);

}  // namespace

asio::awaitable<void> await_writable(int descriptor) {
  asio::posix::stream_descriptor watched(co_await asio::this_coro::executor);
  asio::error_code error;
  watched.assign(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), error);
  if (error) co_return co_await sleep_for(kBlindPause);
  co_await watched.async_wait(asio::posix::stream_descriptor::wait_write, kNoThrow);
}

Result<std::size_t> write_now(int descriptor, ByteView bytes) {
  for (;;) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) return static_cast<std::size_t>(written);
    if (errno == EAGAIN) return std::size_t{0};
    if (errno != EINTR) return fail(errc::io, std::generic_category().message(errno));
  }
}

}  // namespace base
