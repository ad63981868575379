#include "adbproto/client/usb_client.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

// At once, after a silence, after a reset, and once more: adbd may leave the bus because of data
// that an earlier client left unread (docs/internals/protocol.md, 9).
constexpr int kAttempts = 4;
// Three times adbd's absence after it left the bus (docs/internals/protocol.md, 9).
constexpr auto kArrivalLimit = std::chrono::seconds(3);
// After this time the phone has not left the bus at all.
constexpr auto kStayLimit = std::chrono::milliseconds(300);
// A scan reads sysfs; 50 ms are not noticeable.
constexpr auto kScanPause = std::chrono::milliseconds(50);
constexpr auto kQuiet = std::chrono::milliseconds(300);  // after this silence no old data follows
// The log stream of an earlier client may never end; the wait ends anyway.
constexpr auto kQuietLimit = std::chrono::seconds(2);

bool is_same_phone(const UsbDevice& one, const UsbDevice& other) {
  return one.address == other.address || (!one.serial.empty() && one.serial == other.serial);
}

asio::awaitable<std::optional<UsbDevice>> find(UsbBus* bus, UsbDevice device) {
  const auto devices = co_await bus->devices();
  auto at = std::ranges::find(devices, device.address, &UsbDevice::address);
  if (at == devices.end()) {
    at = std::ranges::find_if(devices, [&](const auto& one) { return is_same_phone(one, device); });
  }
  if (at == devices.end()) co_return std::nullopt;
  co_return *at;
}

// The returned phone: with a new number on the bus, or with the old one if it never left.
Task<UsbDevice> await_return(UsbBus* bus, UsbDevice device) {
  const auto began = Clock::now();
  while (Clock::now() - began < kArrivalLimit) {
    const auto now = co_await find(bus, device);
    if (now && now->device_number != device.device_number) co_return *now;
    if (now && Clock::now() - began > kStayLimit) co_return *now;
    co_await sleep_for(kScanPause);
  }
  co_return fail(errc::device_not_found, device.address + " left the bus and did not return");
}

bool may_come_back(Errc code) {
  return code == errc::link_lost || code == errc::closed || code == errc::io ||
         code == errc::protocol || code == errc::device_not_found;
}

Task<void> read_until_quiet(ByteStream* link) {
  Bytes ignored(4096);
  for (;;) {
    const auto size = co_await with_deadline(link->read_some(ignored), kQuiet, "unread data");
    if (size) continue;
    if (size.error().code() == errc::deadline_exceeded) co_return ok();
    co_return std::unexpected(size.error());
  }
}

// The cable may still hold an earlier connection's agreement without a request for a key. A device
// that has accepted us refuses an unknown service. A device that requires a key ends the link and
// does not answer the service.
Task<void> prove_agreement(Device* device) {
  const auto stream = co_await device->open("clawperator:are you there");
  if (stream || stream.error().code() == errc::refused) co_return ok();
  co_return std::unexpected(stream.error());
}

enum class Start { at_once, when_quiet };

Task<std::unique_ptr<Device>> connect_once(UsbBus* bus, UsbDevice device, DirectOptions options,
                                           Start start) {
  CO_TRY(auto link, co_await bus->open(device));
  if (start == Start::when_quiet) {
    CO_TRY_VOID(co_await with_deadline(read_until_quiet(link.get()), kQuietLimit,
                                       "waiting for the end of old data"));
  }
  const auto keys_requested = std::make_shared<bool>(false);
  if (options.keys) {
    options.keys = [keys_requested, load = std::move(options.keys)] {
      *keys_requested = true;
      return load();
    };
  }
  const std::string name = device.serial.empty() ? device.address : device.serial;
  CO_TRY(auto connected, co_await connect_device(std::move(link), name, std::move(options)));
  if (!*keys_requested) CO_TRY_VOID(co_await prove_agreement(connected.get()));
  co_return connected;
}

}  // namespace

Task<std::unique_ptr<Device>> connect_usb_device(UsbBus* bus, UsbDevice device,
                                                 DirectOptions options) {
  options.route = "usb";
  options.place = device.address;
  options.restart = Restart::ignored;
  const auto authorization_limit = std::exchange(options.authorization_limit, {});
  bool was_reset = false;
  Start start = Start::at_once;
  for (int attempt = 1;; ++attempt) {
    auto connected = co_await connect_once(bus, device, options, start);
    if (connected || attempt == kAttempts) co_return connected;
    const Errc why = connected.error().code();
    const bool was_quiet = std::exchange(start, Start::when_quiet) == Start::when_quiet;
    options.authorization_limit = authorization_limit;
    if (why == errc::device_unauthorized && !was_quiet) continue;
    if (why == errc::deadline_exceeded && !std::exchange(was_reset, true)) {
      CO_TRY_VOID(co_await bus->reset(device));
    } else if (!may_come_back(why)) {
      co_return connected;
    }
    auto returned = co_await await_return(bus, device);
    if (!returned) co_return connected;
    device = *std::move(returned);
  }
}

}  // namespace adbproto
