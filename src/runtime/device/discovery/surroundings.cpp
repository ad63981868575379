#include "runtime/device/discovery/surroundings.hpp"

#include <unistd.h>

#include "adbproto/client/pairing.hpp"
#include "base/system/environment.hpp"

namespace clawperator {

namespace {

// Most boxes that have no phone on USB have no USB at all: then libusb is not even started.
Result<std::unique_ptr<adbproto::UsbBus>> start_usb(const asio::any_io_executor& executor) {
  if (environment_variable("CLAWPERATOR_USB") == "0") {
    return fail(errc::unsupported, "USB is switched off (CLAWPERATOR_USB=0)");
  }
  if (::access("/sys/bus/usb", F_OK) != 0) return fail(errc::unsupported, "no USB in this system");
  return adbproto::UsbBus::start(executor);
}

Result<adbproto::KeyRing> load_keys() { return adbproto::load_keys(environment_variable); }

std::vector<std::string> known_hosts() {
  return adbproto::read_known_hosts(environment_variable).value_or(std::vector<std::string>{});
}

Task<std::unique_ptr<adbproto::Discovery>> start_mdns() {
  co_return co_await adbproto::Discovery::start(adbproto::discovery_options(environment_variable));
}

}  // namespace

std::shared_ptr<const Surroundings> real_surroundings() {
  static const auto kReal = std::make_shared<const Surroundings>(Surroundings{
      .start_usb = start_usb,
      .load_keys = load_keys,
      .known_hosts = known_hosts,
      .start_discovery = start_mdns,
  });
  return kReal;
}

}  // namespace clawperator
