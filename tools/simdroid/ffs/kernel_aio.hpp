#pragma once
// Reads and writes of files that cannot be polled, such as FunctionFS endpoints, through the
// kernel's own queue; an eventfd notifies the io_context when some have ended.

#include <linux/aio_abi.h>

#include <asio/any_io_executor.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/async/signal.hpp"
#include "base/bytes.hpp"

namespace simdroid {

class KernelAio {
 public:
  static Result<std::unique_ptr<KernelAio>> start(const asio::any_io_executor& executor);
  ~KernelAio() { close(); }
  KernelAio(const KernelAio&) = delete;
  KernelAio& operator=(const KernelAio&) = delete;

  // Completes the operations that have ended, until closed. Must run for the others to return.
  asio::awaitable<void> run();

  Task<Bytes> read(int file, std::size_t limit);
  Task<void> write(int file, Bytes bytes);

  // Cancels the operations in flight and waits until the kernel has ended them. Idempotent.
  void close();

 private:
  // The kernel writes into it, so it outlives the coroutine that waits.
  struct Transfer {
    explicit Transfer(const asio::any_io_executor& executor) : ended(executor) {}
    iocb control{};
    Bytes buffer;
    std::optional<std::int64_t> result;  // bytes or -errno
    adbproto::Signal ended;
  };
  using TransferPtr = std::shared_ptr<Transfer>;

  KernelAio(const asio::any_io_executor& executor, aio_context_t context, int event)
      : executor_(executor), context_(context), event_(executor, event) {}
  Task<std::size_t> submit(TransferPtr transfer, int file, std::uint16_t operation);
  void collect();

  asio::any_io_executor executor_;
  aio_context_t context_;  // 0: closed
  asio::posix::stream_descriptor event_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, TransferPtr> in_flight_;
};

}  // namespace simdroid
