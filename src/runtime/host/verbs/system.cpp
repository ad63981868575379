#include "runtime/host/verbs/system.hpp"

#include <map>

#include "base/async/name_lookup.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

using namespace base::parallel;

constexpr int kRotationReads = 8;
// 1.75 s in all: the display turns after the command, with an animation.
constexpr auto kRotationPause = std::chrono::milliseconds(250);

SettingKey of_system(const char* name) { return {"system", name}; }

struct RotationState {
  int quarter_turns = 0;  // of the display
  bool as_held = false;
  std::optional<int> locked_to{};
};

Task<RotationState> look(AndroidServices* services) {
  const auto [display, held, locked] =
      co_await (run_on_device(services->device(), displays_line()) &&
                read_setting(services, of_system(kAutoRotation)) &&
                read_setting(services, of_system(kUserRotation)));
  CO_TRY_VOID(display);
  CO_TRY_VOID(held);
  CO_TRY_VOID(locked);
  const auto turns = main_rotation(display->out);
  if (!turns) {
    co_return fail(errc::device_shell_unavailable,
                   "the device does not report its display's rotation");
  }
  co_return RotationState{*turns, trimmed(held->out) == "1",
                          whole_number<int>(trimmed(locked->out))};
}

bool is_reached(const RotationState& state, std::optional<int> wanted) {
  return wanted ? !state.as_held && state.quarter_turns == *wanted : state.as_held;
}

// Puts one of the settings that the window manager keeps.
Task<void> order_setting(AndroidServices* services, const char* name, int value) {
  const SettingKey key = of_system(name);
  const auto done = co_await services->order(
      AndroidService::settings, put_setting_words(services->user(), key, std::to_string(value)));
  if (!done) co_return std::unexpected(unknown_end(done.error()));
  if (done->exit_status == 0) co_return ok();
  co_return std::unexpected(co_await with_vendor_hint(
      services->device(), refusal_error("Could not set " + key.name, *done)));
}

Task<void> send_rotation(AndroidServices* services, int sdk, std::optional<int> wanted) {
  if (sdk < kRotatesByCommand) {
    if (!wanted) co_return co_await order_setting(services, kAutoRotation, 1);
    CO_TRY_VOID(co_await order_setting(services, kUserRotation, *wanted));
    co_return or_unknown_end(co_await order_setting(services, kAutoRotation, 0));
  }
  CO_TRY(const CommandOutput done,
         co_await order_on_device(services->device(), rotation_line(sdk, wanted)));
  if (done.exit_status == 0 && trimmed(done.err).empty()) co_return ok();
  co_return std::unexpected(co_await with_vendor_hint(
      services->device(), refusal_error("the screen was not rotated", done)));
}

std::string degrees(int quarter_turns) { return std::to_string(quarter_turns * 90); }

std::unexpected<Error> not_rotated(const std::string& device_id, const RotationState& state,
                                   std::optional<int> wanted) {
  ErrorMembers found;
  found.number("rotation", state.quarter_turns * 90).boolean("auto", state.as_held);
  if (state.locked_to) found.number("lockedTo", *state.locked_to * 90);
  if (!wanted)
    return not_confirmed("The screen does not turn as the phone is held.", device_id, found);
  const bool is_kept = state.locked_to == wanted && !state.as_held;
  return not_confirmed("The display is at " + degrees(state.quarter_turns) + " degrees, not at " +
                           degrees(*wanted) + ": " +
                           (is_kept ? "the app in front keeps its own way up. Others will turn."
                                    : "the device did not keep the setting."),
                       device_id, found);
}

}  // namespace

Task<Rotation> rotate(adbproto::Device* device, std::optional<int> quarter_turns) {
  AndroidServices services(device);
  const auto [sdk, user] = co_await (read_sdk(device) && services.find_user());
  CO_TRY_VOID(sdk);
  CO_TRY_VOID(user);
  auto state = co_await look(&services);
  if (!state) co_return std::unexpected(state.error());
  if (is_reached(*state, quarter_turns)) {
    co_return Rotation{ReadBack::unchanged, state->quarter_turns};
  }
  CO_TRY_VOID(co_await send_rotation(&services, *sdk, quarter_turns));
  for (int reads = 0; reads < kRotationReads; ++reads) {
    if (reads > 0) co_await sleep_for(kRotationPause);
    state = co_await look(&services);
    if (!state) co_return std::unexpected(unknown_end(state.error()));
    if (is_reached(*state, quarter_turns)) {
      co_return Rotation{ReadBack::changed, state->quarter_turns};
    }
  }
  co_return not_rotated(device->serial(), *state, quarter_turns);
}

namespace {

constexpr int kNetworkReads = 10;
// 2.7 s in all: the setting may change after the command has ended.
constexpr auto kNetworkPause = std::chrono::milliseconds(300);

std::string_view network_name(PhoneNetwork network) {
  static constexpr std::string_view kNames[] = {"airplane mode", "Wi-Fi", "mobile data"};
  return kNames[static_cast<std::size_t>(network)];
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
  CO_TRY(const int sdk, co_await read_sdk(device));
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
  co_return std::unexpected(co_await with_vendor_hint(device, refusal_error(what, done)));
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

Task<ReadBack> switch_network(adbproto::Device* device, NetworkSwitch wanted) {
  AndroidServices services(device);
  CO_TRY(const std::string before, co_await read_value(&services, wanted.network));
  if (network_is_on(before) == wanted.on) co_return ReadBack::unchanged;
  if (cuts(wanted) && rides_on_network(device->serial(), device->route())) {
    co_return fail(errc::link_at_risk,
                   device->serial() + " is reached over the network that this would cut.",
                   hint_and_details("Connect the phone by USB: clawperator devices",
                                    ErrorMembers().text("deviceId", device->serial())));
  }
  CO_TRY_VOID(co_await send_network(device, wanted));
  Result<std::string> value;
  for (int reads = 0; reads < kNetworkReads; ++reads) {
    if (reads > 0) co_await sleep_for(kNetworkPause);
    value = co_await read_value(&services, wanted.network);
    if (!value) co_return std::unexpected(unknown_end(value.error()));
    if (network_is_on(*value) == wanted.on) co_return ReadBack::changed;
  }
  ErrorMembers found;
  found.text(network_setting(wanted.network), *value);
  co_return not_confirmed("The device reports that " + std::string(network_name(wanted.network)) +
                              " is still " + (wanted.on ? "off." : "on."),
                          device->serial(), found);
}

namespace {

// android.os.BatteryManager's numbers, from 1 on.
constexpr auto kStatuses =
    std::to_array<std::string_view>({"unknown", "charging", "discharging", "not_charging", "full"});
constexpr auto kHealths = std::to_array<std::string_view>(
    {"unknown", "good", "overheat", "dead", "over_voltage", "failure", "cold"});

struct Plug {
  std::string_view printed, name;
};
constexpr auto kPlugs = std::to_array<Plug>({{"AC powered", "ac"},
                                             {"USB powered", "usb"},
                                             {"Wireless powered", "wireless"},
                                             {"Dock powered", "dock"}});

using Values = std::map<std::string, std::string, std::less<>>;

// The lines "name: value" below the heading; of a name that stands there twice the first.
Values read_values(std::string_view text) {
  Values values;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    const auto colon = line.find(": ");
    if (colon == line.npos) continue;
    values.emplace(line.substr(0, colon), trimmed(line.substr(colon + 2)));
  }
  return values;
}

std::optional<std::int64_t> battery_number(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : whole_number<std::int32_t>(found->second);
}

template <std::size_t N>
std::string_view battery_word(const std::array<std::string_view, N>& words,
                              std::optional<std::int64_t> number) {
  const bool known = number && *number >= 1 && *number <= static_cast<std::int64_t>(N);
  return known ? words[static_cast<std::size_t>(*number - 1)] : words.front();
}

}  // namespace

std::optional<Battery> parse_battery(std::string_view dumpsys) {
  const Values values = read_values(dumpsys);
  const auto level = battery_number(values, "level");
  const auto scale = battery_number(values, "scale").value_or(100);
  if (!level || *level < 0 || scale <= 0 || *level > scale) return std::nullopt;
  Battery battery{.percent = *level * 100 / scale};
  battery.status = battery_word(kStatuses, battery_number(values, "status"));
  battery.health = battery_word(kHealths, battery_number(values, "health"));
  for (const Plug& plug : kPlugs) {
    const auto found = values.find(plug.printed);
    if (found != values.end() && found->second == "true") battery.plugged.emplace_back(plug.name);
  }
  if (const auto tenths = battery_number(values, "temperature")) {
    battery.celsius = static_cast<double>(*tenths) / 10;
  }
  battery.millivolts = battery_number(values, "voltage");
  battery.frozen = dumpsys.contains("UPDATES STOPPED");
  return battery;
}

Task<Battery> read_battery(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, battery_line()));
  co_return required(parse_battery(printed.out), "report its battery's level", printed);
}

JsonObject& add_battery(JsonObject& json, const Battery& battery) {
  json.number("percent", battery.percent).text("status", battery.status);
  json.strings("plugged", battery.plugged).text("health", battery.health);
  if (battery.celsius) json.real("celsius", *battery.celsius);
  if (battery.millivolts) json.number("millivolts", *battery.millivolts);
  return json.boolean("frozen", battery.frozen);
}

}  // namespace clawperator
