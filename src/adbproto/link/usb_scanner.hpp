#pragma once
// What is on the bus, read beside the event loop: the kernel may hold up a reader for as long as a
// phone is dying, and the others must be seen meanwhile.
//
//   list (waits for nothing) --> each device with an adb interface: read on a thread of its own

#include <asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "adbproto/link/task.hpp"
#include "adbproto/link/usb_sysfs.hpp"

namespace adbproto {

struct Sysfs {
  std::function<Result<std::vector<UsbPlace>>()> list = list_usb;
  std::function<std::optional<UsbEntry>(const UsbPlace& place)> read = read_usb;
};

class UsbScanner {
 public:
  explicit UsbScanner(const asio::any_io_executor& executor, Sysfs sysfs = {});
  ~UsbScanner();
  UsbScanner(const UsbScanner&) = delete;
  UsbScanner& operator=(const UsbScanner&) = delete;

  // As it is now, sorted by address; empty where there is no USB. A phone that hangs for a second
  // is shown as it was last seen since its arrival, or not at all.
  asio::awaitable<std::vector<UsbEntry>> scan();
  // What the last scan saw.
  [[nodiscard]] std::vector<UsbEntry> seen() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace adbproto
