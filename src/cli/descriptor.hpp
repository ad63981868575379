#pragma once
// One of the process's own standard streams, for the event loop.
//
//   stdin, stdout, ... --epoll of our own--> asio's epoll --> coroutine --plain read, write
//
// Such a stream is shared with other processes (the shell that started us, the pipe's other end's
// parent), so it never gets O_NONBLOCK, which asio would set. Regular files and /dev/null, which
// epoll does not take, are always ready. Other than to files, what fits is written without waiting;
// where the system cannot do that (terminals, pipes before Linux 6.4), a write that was found ready
// takes at most PIPE_BUF bytes, which a pipe then has room for.

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

  // At least one byte; `closed` at the end, also of a descriptor that is not open.
  Task<std::size_t> read_some(std::span<std::byte> into);
  // All of it; `closed` when the other end is gone.
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
  std::unique_ptr<Watch> watch_;  // made when there is something to wait for
};

}  // namespace clawperator::cli
