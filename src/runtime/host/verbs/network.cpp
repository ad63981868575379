#include "runtime/host/verbs/network.hpp"

#include "adbproto/link/name_lookup.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {
namespace {

constexpr int kNetworkLooks = 10;
constexpr auto kNetworkPause = std::chrono::milliseconds(300);

std::string_view network_name(PhoneNetwork network) {
  switch (network) {
    case PhoneNetwork::airplane: return "airplane mode";
    case PhoneNetwork::wifi: return "Wi-Fi";
    default: return "mobile data";
  }
}

bool cuts(NetworkSwitch wanted) {
  return (wanted.network == PhoneNetwork::wifi && !wanted.on) ||
         (wanted.network == PhoneNetwork::airplane && wanted.on);
}

Task<std::string> read_value(AndroidServices* services, PhoneNetwork network) {
  SettingKey key{"global", network_setting(network)};
  CO_TRY(const CommandOutput printed, co_await read_setting(services, std::move(key)));
  co_return std::string(trimmed(printed.out));
}

Task<void> send_network(adbproto::Device* device, NetworkSwitch wanted) {
  CO_TRY(const int sdk, co_await ask_sdk(device));
  const auto line = network_line(sdk, wanted.network, wanted.on);
  if (!line) {
    co_return beyond_release(
        "Before Android 10 the shell may not switch airplane mode: only the system may announce "
        "it.",
        sdk);
  }
  CO_TRY(const CommandOutput done, co_await order_on_device(device, *line));
  if (done.exit_status == 0 && trimmed(done.err).empty()) co_return ok();
  const std::string what = std::string(network_name(wanted.network)) + " was not switched";
  co_return std::unexpected(co_await with_vendor_hint(device, said_no(what, done)));
}

}  // namespace

bool rides_on_network(std::string_view serial, std::string_view route) {
  if (serial.contains("._adb")) return true;
  const auto colon = serial.rfind(':');
  const bool is_address =
      colon != serial.npos && whole_number<std::uint16_t>(serial.substr(colon + 1)).has_value();
  if (is_address) return !adbproto::is_loopback(serial.substr(0, colon));
  return route == "tcp" && !adbproto::is_loopback(serial);
}

std::optional<bool> network_is_on(std::string_view value) {
  // 2: Wi-Fi in spite of airplane mode; 3: off for its sake.
  if (value == "1" || value == "2") return true;
  if (value == "0" || value == "3") return false;
  return std::nullopt;
}

Task<Effect> switch_network(adbproto::Device* device, NetworkSwitch wanted) {
  AndroidServices services(device);
  CO_TRY(const std::string before, co_await read_value(&services, wanted.network));
  if (network_is_on(before) == wanted.on) co_return Effect::unchanged;
  if (cuts(wanted) && rides_on_network(device->serial(), device->route())) {
    co_return fail(errc::link_at_risk,
                   device->serial() + " is reached over the network that this would cut.",
                   ErrorMembers()
                       .text("hint", "Connect the phone by USB: clawperator devices")
                       .object("details", ErrorMembers().text("deviceId", device->serial()))
                       .str());
  }
  CO_TRY_VOID(co_await send_network(device, wanted));
  Result<std::string> value;
  for (int looks = 0; looks < kNetworkLooks; ++looks) {
    if (looks > 0) co_await sleep_for(kNetworkPause);
    value = co_await read_value(&services, wanted.network);
    if (!value) co_return std::unexpected(unknown_end(value.error()));
    if (network_is_on(*value) == wanted.on) co_return Effect::changed;
  }
  ErrorMembers found;
  found.text(network_setting(wanted.network), *value);
  co_return not_confirmed("The device says that " + std::string(network_name(wanted.network)) +
                              " is still " + (wanted.on ? "off." : "on."),
                          device->serial(), found);
}

}  // namespace clawperator
