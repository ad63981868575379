#include "adbproto/link/usb_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <cerrno>
#include <new>

#include "adbproto/link/libusb_functions.hpp"
#include "adbproto/link/usb_sysfs.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kLingerRead = 16 * 1024;
// A phone may send without an end, and adbd may leave the bus because of unread data.
constexpr auto kLinger = std::chrono::milliseconds(300);

UsbEnd end_of(libusb_transfer_status status) {
  switch (status) {
    case LIBUSB_TRANSFER_COMPLETED: return UsbEnd::done;
    case LIBUSB_TRANSFER_TIMED_OUT: return UsbEnd::timed_out;
    case LIBUSB_TRANSFER_CANCELLED: return UsbEnd::cancelled;
    case LIBUSB_TRANSFER_STALL: return UsbEnd::stalled;
    case LIBUSB_TRANSFER_NO_DEVICE: return UsbEnd::gone;
    case LIBUSB_TRANSFER_ERROR:
    case LIBUSB_TRANSFER_OVERFLOW: break;
  }
  return UsbEnd::failed;
}

Error went_away(const UsbDevice& device) {
  return {errc::device_not_found, device.address + " is gone"};
}

Error failed(const UsbDevice& device, const char* what, int status) {
  if (status == LIBUSB_ERROR_NO_DEVICE) return went_away(device);
  return {errc::io, device.address + ": " + what + ": " + libusb_error_name(status)};
}

Error cannot_open(const UsbDevice& device, int why) {
  if (why == ENOENT || why == ENODEV || why == ENXIO) return went_away(device);
  const bool denied = why == EACCES || why == EPERM;
  return {denied ? errc::usb_no_permission : errc::io,
          explain_no_access(device.node, device.vendor_id, why)};
}

}  // namespace

struct UsbPipe::Callback {
  static void LIBUSB_CALL on_done(libusb_transfer* raw) {
    UsbTransferPtr transfer(static_cast<UsbTransfer*>(raw->user_data));
    transfer->size = static_cast<std::size_t>(std::max(0, raw->actual_length));
    transfer->end = end_of(raw->status);
    const auto pipe = std::exchange(transfer->pipe, nullptr);
    pipe->on_done(std::move(transfer));
  }
};

UsbTransfer::UsbTransfer() : raw(libusb_alloc_transfer(0)) {
  if (raw == nullptr) throw std::bad_alloc();
}
UsbTransfer::~UsbTransfer() { libusb_free_transfer(raw); }

Result<std::shared_ptr<UsbPipe>> UsbPipe::open(std::shared_ptr<libusb_context> context,
                                               UsbEntry entry, Place place) {
  std::shared_ptr<UsbPipe> pipe(
      new UsbPipe(std::move(context), std::move(entry), std::move(place)));
  const UsbDevice& device = pipe->entry_.device;
  pipe->fd_ = ::open(device.node.c_str(), O_RDWR | O_CLOEXEC);
  if (pipe->fd_ < 0) return std::unexpected(cannot_open(device, errno));
  const int status = libusb_wrap_sys_device(pipe->context_.get(), pipe->fd_, &pipe->handle_);
  if (status != LIBUSB_SUCCESS) return std::unexpected(failed(device, "opening", status));
  return pipe;
}

Result<void> UsbPipe::claim() {
  const UsbDevice& device = entry_.device;
  const int status = libusb_claim_interface(handle_, entry_.interface.number);
  if (status == LIBUSB_ERROR_BUSY) {
    return fail(errc::usb_busy, device.address + " is claimed");
  }
  if (status != LIBUSB_SUCCESS) return std::unexpected(failed(device, "claiming", status));
  claimed_ = true;
  return ok();
}

void UsbPipe::release() {
  const std::lock_guard lock(handle_mutex_);
  if (std::exchange(claimed_, false)) {
    libusb_release_interface(handle_, entry_.interface.number);
  }
  if (handle_ != nullptr) libusb_close(std::exchange(handle_, nullptr));
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

std::uint8_t UsbPipe::endpoint(UsbDirection direction) const {
  return direction == UsbDirection::in ? entry_.interface.in_endpoint
                                       : entry_.interface.out_endpoint;
}

UsbSubmit UsbPipe::submit(UsbTransferPtr& transfer) {
  const std::lock_guard lock(mutex_);
  if (closing_ != Closing::no) return UsbSubmit::gone;
  return submit_locked(transfer);
}

// The callback may run before libusb_submit_transfer returns; it waits for the mutex.
UsbSubmit UsbPipe::submit_locked(UsbTransferPtr& transfer) {
  const bool is_in = transfer->direction == UsbDirection::in;
  const auto write_limit = static_cast<unsigned>(place_.write_limit.count());
  libusb_fill_bulk_transfer(transfer->raw, handle_, endpoint(transfer->direction),
                            reinterpret_cast<unsigned char*>(transfer->buffer.data()),
                            static_cast<int>(transfer->length), &Callback::on_done, transfer.get(),
                            is_in ? 0 : write_limit);
  transfer->raw->actual_length = 0;
  transfer->size = 0;
  transfer->pipe = shared_from_this();
  const int status = libusb_submit_transfer(transfer->raw);
  if (status == LIBUSB_SUCCESS) {
    in_flight_.push_back(transfer.release());
    return UsbSubmit::submitted;
  }
  transfer->pipe.reset();
  if (status == LIBUSB_ERROR_NO_MEM) return UsbSubmit::no_memory;
  return status == LIBUSB_ERROR_NO_DEVICE ? UsbSubmit::gone : UsbSubmit::failed;
}

// On the event thread.
void UsbPipe::on_done(UsbTransferPtr transfer) {
  const std::lock_guard lock(mutex_);
  std::erase(in_flight_, transfer.get());
  if (closing_ == Closing::no) {
    done_.push_back(std::move(transfer));
    if (std::exchange(posted_, true)) return;
    asio::post(place_.executor, [pipe = shared_from_this()] {
      if (pipe->on_ready_) pipe->on_ready_();
    });
    return;
  }
  const bool more = transfer->direction == UsbDirection::in && transfer->end == UsbEnd::done;
  if (closing_ != Closing::lingering || !more) return;
  last_in_ = std::chrono::steady_clock::now();
  transfer->length = kLingerRead;
  if (transfer->buffer.size() < kLingerRead) transfer->buffer.resize(kLingerRead);
  submit_locked(transfer);
}

std::vector<UsbTransferPtr> UsbPipe::take() {
  const std::lock_guard lock(mutex_);
  posted_ = false;
  return std::exchange(done_, {});
}

void UsbPipe::cancel_locked(UsbDirection direction) {
  // Newest first: a cancelled transfer must not let its successor start.
  for (auto at = in_flight_.rbegin(); at != in_flight_.rend(); ++at) {
    if ((*at)->direction == direction) libusb_cancel_transfer((*at)->raw);
  }
}

void UsbPipe::cancel(UsbDirection direction) {
  const std::lock_guard lock(mutex_);
  cancel_locked(direction);
}

Result<void> UsbPipe::clear_halt(UsbDirection direction) {
  const std::lock_guard lock(handle_mutex_);
  if (handle_ == nullptr) return fail(errc::closed, "usb link closed");
  const int status = libusb_clear_halt(handle_, endpoint(direction));
  if (status != LIBUSB_SUCCESS) {
    return std::unexpected(failed(entry_.device, "clearing a halt", status));
  }
  return ok();
}

Result<void> UsbPipe::reset() {
  const std::lock_guard lock(handle_mutex_);
  const int status = libusb_reset_device(handle_);
  // Not found: the phone returned as another device, as a reset may cause.
  if (status == LIBUSB_SUCCESS || status == LIBUSB_ERROR_NOT_FOUND) return ok();
  return std::unexpected(failed(entry_.device, "resetting", status));
}

void UsbPipe::start_close() {
  const std::lock_guard lock(mutex_);
  if (closing_ != Closing::no) return;
  closing_ = Closing::lingering;
  close_began_ = last_in_ = std::chrono::steady_clock::now();
  const auto reads = [](const UsbTransfer* one) { return one->direction == UsbDirection::in; };
  if (std::ranges::any_of(in_flight_, reads)) return;
  // The earlier reader had no read in flight: the rest of the phone's data still waits for one.
  auto rest = std::make_unique<UsbTransfer>();
  rest->buffer.resize(kLingerRead);
  rest->length = kLingerRead;
  submit_locked(rest);
}

bool UsbPipe::advance_close() {
  const std::lock_guard lock(mutex_);
  if (in_flight_.empty()) return true;
  if (closing_ == Closing::cancelled) return false;
  const bool writes = std::ranges::any_of(
      in_flight_, [](const UsbTransfer* one) { return one->direction == UsbDirection::out; });
  const auto now = std::chrono::steady_clock::now();
  const bool quiet = !writes && now - last_in_ >= place_.quiet_limit;
  if (!quiet && now - close_began_ < kLinger) return false;
  closing_ = Closing::cancelled;
  cancel_locked(UsbDirection::out);
  cancel_locked(UsbDirection::in);
  return false;
}

}  // namespace adbproto
