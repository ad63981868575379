#pragma once
// A mock bus and the real UsbBus on it.

#include "adbproto/link/usb_bus.hpp"
#include "mock_bus.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"

namespace Catch {
template <>
struct StringMaker<adbproto::UsbDevice> {
  static std::string convert(const adbproto::UsbDevice& device) {
    return device.address + " '" + device.serial + "' " + device.node + " access " +
           std::to_string(static_cast<int>(device.access)) + " " + device.obstacle;
  }
};
}  // namespace Catch

namespace adbproto::testing {

inline std::vector<UsbDevice> phones(Loop& loop, const std::unique_ptr<UsbBus>& bus) {
  return loop
      .run([](UsbBus* on) -> Task<std::vector<UsbDevice>> {
        co_return co_await on->devices();
      }(bus.get()))
      .value();
}

// Until it holds; only what hangs takes a minute.
template <class Condition>
bool soon(Loop& loop, Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds() && std::chrono::steady_clock::now() < end) {
    static_cast<void>(loop.run([]() -> Task<void> {
      // Real time: libusb reads the bus in a thread of its own.
      co_await sleep_for(std::chrono::milliseconds(1));
      co_return ok();
    }()));
  }
  return holds();
}

}  // namespace adbproto::testing
