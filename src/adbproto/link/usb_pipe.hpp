#pragma once
// One claimed adb interface: transfers are submitted and returned on the loop's thread.
//
//   loop --submit--> libusb --callback on the event thread--> done --post--> take() on the loop
//
// Every transfer in flight keeps its pipe alive. start_close() hands the pipe to the event thread.
// That lets writes end, reads until the phone is quiet (unread packets can break the next
// connection), cancels the rest and waits for it.

#include <asio/any_io_executor.hpp>
#include <mutex>

#include "adbproto/link/usb_sysfs.hpp"

struct libusb_context;
struct libusb_device_handle;
struct libusb_transfer;  // NOLINT(readability-identifier-naming): not ours

namespace adbproto {

class UsbPipe;

enum class UsbDirection : std::uint8_t { in, out };
enum class UsbEnd : std::uint8_t { done, stalled, cancelled, timed_out, gone, failed };
enum class UsbSubmit : std::uint8_t { submitted, no_memory, gone, failed };

struct UsbTransfer {
  UsbTransfer();
  ~UsbTransfer();
  UsbTransfer(const UsbTransfer&) = delete;
  UsbTransfer& operator=(const UsbTransfer&) = delete;
  [[nodiscard]] ByteView received() const { return ByteView(buffer).first(size); }

  UsbDirection direction = UsbDirection::in;
  Bytes buffer;            // at least `length` bytes
  std::size_t length = 0;  // requested
  std::size_t size = 0;    // received or sent
  UsbEnd end = UsbEnd::done;
  std::uint64_t number = 0;  // given by its owner
  libusb_transfer* raw;
  std::shared_ptr<UsbPipe> pipe;  // while in flight
};

using UsbTransferPtr = std::unique_ptr<UsbTransfer>;

class UsbPipe : public std::enable_shared_from_this<UsbPipe> {
 public:
  struct Place {
    asio::any_io_executor executor;  // the loop's
    std::chrono::milliseconds write_limit;
    std::chrono::milliseconds quiet_limit;
  };
  // Both block, for up to a second; see UsbBus::open for the errors.
  static Result<std::shared_ptr<UsbPipe>> open(std::shared_ptr<libusb_context> context,
                                               UsbEntry entry, Place place);
  Result<void> claim();
  ~UsbPipe() { release(); }
  UsbPipe(const UsbPipe&) = delete;
  UsbPipe& operator=(const UsbPipe&) = delete;

  // Takes the transfer only when it is submitted.
  UsbSubmit submit(UsbTransferPtr& transfer);
  // The finished transfers, oldest first. on_ready is called on the loop when there are some.
  std::vector<UsbTransferPtr> take();
  void set_on_ready(std::function<void()> on_ready) { on_ready_ = std::move(on_ready); }
  void cancel(UsbDirection direction);
  // The next two block: call them on the pool. `closed` once released.
  Result<void> clear_halt(UsbDirection direction);
  Result<void> reset();

  // From now on the event thread owns the transfers and calls advance_close until that returns
  // true.
  void start_close();
  bool advance_close();
  // Releases the interface; idempotent. Requires that nothing is in flight.
  void release();

  [[nodiscard]] const UsbEntry& entry() const { return entry_; }
  [[nodiscard]] const std::string& node() const { return entry_.device.node; }

  struct Callback;

 private:
  UsbPipe(std::shared_ptr<libusb_context> context, UsbEntry entry, Place place)
      : context_(std::move(context)), entry_(std::move(entry)), place_(std::move(place)) {}
  void on_done(UsbTransferPtr transfer);
  UsbSubmit submit_locked(UsbTransferPtr& transfer);
  void cancel_locked(UsbDirection direction);
  [[nodiscard]] std::uint8_t endpoint(UsbDirection direction) const;

  std::shared_ptr<libusb_context> context_;
  UsbEntry entry_;
  Place place_;

  std::mutex handle_mutex_;  // held by calls that block, and by release()
  int fd_ = -1;
  libusb_device_handle* handle_ = nullptr;
  bool claimed_ = false;

  std::function<void()> on_ready_;  // called on the loop

  // Under the mutex: shared by the loop and the event thread.
  std::mutex mutex_;
  std::vector<UsbTransfer*> in_flight_;
  std::vector<UsbTransferPtr> done_;
  bool posted_ = false;
  enum class Closing : std::uint8_t { no, lingering, cancelled } closing_ = Closing::no;
  std::chrono::steady_clock::time_point close_began_;
  std::chrono::steady_clock::time_point last_in_;
};

}  // namespace adbproto
