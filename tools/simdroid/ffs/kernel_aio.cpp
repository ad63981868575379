#include "simdroid/ffs/kernel_aio.hpp"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asio/buffer.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

namespace simdroid {
namespace {

constexpr int kMaxInFlight = 64;

std::unexpected<Error> refused(const char* what, int error) {
  return fail(errc::io, std::string(what) + ": " + std::strerror(error));
}

}  // namespace

Result<std::unique_ptr<KernelAio>> KernelAio::start(const asio::any_io_executor& executor) {
  aio_context_t context = 0;
  if (::syscall(SYS_io_setup, kMaxInFlight, &context) != 0) return refused("io_setup", errno);
  const int event = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (event < 0) {
    const int error = errno;
    ::syscall(SYS_io_destroy, context);
    return refused("eventfd", error);
  }
  return std::unique_ptr<KernelAio>(new KernelAio(executor, context, event));
}

asio::awaitable<void> KernelAio::run() {
  while (context_ != 0) {
    std::uint64_t count = 0;
    const auto [error, size] =
        co_await event_.async_read_some(asio::buffer(&count, sizeof count), kNoThrow);
    if (error) co_return;
    collect();
  }
}

void KernelAio::collect() {
  io_event events[kMaxInFlight];
  timespec at_once{};
  const long count = ::syscall(SYS_io_getevents, context_, 0, kMaxInFlight, events, &at_once);
  for (long i = 0; i < count; ++i) {
    const auto found = in_flight_.extract(events[i].data);
    if (found.empty()) continue;
    found.mapped()->result = events[i].res;
    found.mapped()->ended.notify_all();
  }
}

Task<std::size_t> KernelAio::submit(TransferPtr transfer, int file, std::uint16_t operation) {
  if (context_ == 0) co_return fail(errc::closed, "closed");
  const std::uint64_t id = ++last_id_;
  iocb& control = transfer->control;
  control.aio_data = id;
  control.aio_lio_opcode = operation;
  control.aio_fildes = static_cast<std::uint32_t>(file);
  control.aio_buf = reinterpret_cast<std::uint64_t>(transfer->buffer.data());
  control.aio_nbytes = transfer->buffer.size();
  control.aio_flags = IOCB_FLAG_RESFD;
  control.aio_resfd = static_cast<std::uint32_t>(event_.native_handle());
  iocb* list = &control;
  if (::syscall(SYS_io_submit, context_, 1, &list) != 1) co_return refused("io_submit", errno);
  in_flight_.emplace(id, transfer);
  while (!transfer->result) co_await transfer->ended.wait();
  if (*transfer->result < 0) co_return refused("transfer", static_cast<int>(-*transfer->result));
  co_return static_cast<std::size_t>(*transfer->result);
}

Task<Bytes> KernelAio::read(int file, std::size_t limit) {
  const auto transfer = std::make_shared<Transfer>(executor_);
  transfer->buffer.resize(limit);
  CO_TRY(const std::size_t size, co_await submit(transfer, file, IOCB_CMD_PREAD));
  transfer->buffer.resize(size);
  co_return std::move(transfer->buffer);
}

Task<void> KernelAio::write(int file, Bytes bytes) {
  const auto transfer = std::make_shared<Transfer>(executor_);
  transfer->buffer = std::move(bytes);
  CO_TRY(const std::size_t size, co_await submit(transfer, file, IOCB_CMD_PWRITE));
  if (size != transfer->buffer.size()) co_return fail(errc::io, "cut write");
  co_return ok();
}

void KernelAio::close() {
  if (context_ == 0) return;
  ::syscall(SYS_io_destroy, std::exchange(context_, 0));
  for (const auto& [id, transfer] : std::exchange(in_flight_, {})) {
    transfer->result = -ECANCELED;
    transfer->ended.notify_all();
  }
  asio::error_code ignored;
  event_.close(ignored);
}

}  // namespace simdroid
