#pragma once
// One of the process's own standard streams, for the event loop.
//
//   stdin, stdout, ... --epoll of our own--> asio's epoll --> coroutine --plain read, write
//
// Other processes share such a stream (the shell that started us, the process at the pipe's other
// end), so it never gets O_NONBLOCK, which asio would set. Regular files and /dev/null, which epoll
// refuses, are always ready. Except to files, a write takes what fits without waiting. Where the
// system cannot do that (terminals, pipes before Linux 6.4), a write to a ready descriptor takes at
// most PIPE_BUF bytes: a ready pipe has room for them.

#include <sys/types.h>

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"

namespace clawperator::cli {

class Descriptor {
 public:
  enum class Direction { in, out };

  // Borrows `fd`.
  Descriptor(const asio::any_io_executor& executor, int fd, Direction direction);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

  Task<void> wait_ready();

  // Reads at least one byte; `closed` at the end, and for a descriptor that is not open.
  Task<std::size_t> read_some(std::span<std::byte> into);
  // Writes all bytes; `closed` when the other end is closed.
  Task<void> write_all(ByteView bytes);

 private:
  struct Watch;
  enum class Writing { whole, what_fits, pieces };

  [[nodiscard]] bool is_ready() const;
  [[nodiscard]] Writing first_writing() const;
  ssize_t write(ByteView bytes);
  Result<void> watch();

  asio::any_io_executor executor_;
  int fd_;
  Direction direction_;
  Writing writing_;
  std::unique_ptr<Watch> watch_;  // created at the first wait
};

}  // namespace clawperator::cli
