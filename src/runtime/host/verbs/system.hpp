#pragma once
// The phone's system by its shell: rotation, networks, battery.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "base/json_text.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

struct Rotation {
  ReadBack effect = ReadBack::unknown;
  int quarter_turns = 0;  // of the display, as it is now
};

// nullopt: as the phone is held. The display's state afterwards decides: effect_not_confirmed where
// an app in front keeps its own rotation.
Task<Rotation> rotate(adbproto::Device* device, std::optional<int> quarter_turns);

// Whether the phone is reached over a network that it could lose: by an address that is not this
// computer's own, or by a name that it announces. An emulator's adb goes another way.
bool rides_on_network(std::string_view serial, std::string_view route);

// The meaning of the global setting `airplane_mode_on`, `wifi_on` or `mobile_data`; nullopt:
// unknown.
std::optional<bool> network_is_on(std::string_view value);

struct NetworkSwitch {
  PhoneNetwork network = PhoneNetwork::wifi;
  bool on = false;
};

// link_at_risk: it would cut the way to the phone. unsupported: no shell of that release may.
// effect_not_confirmed: the phone's setting is not the requested one.
Task<ReadBack> switch_network(adbproto::Device* device, NetworkSwitch wanted);

// The phone's battery by `dumpsys battery`.
struct Battery {
  std::int64_t percent = 0;
  std::string status{};                // charging, discharging, full, not_charging, unknown
  std::vector<std::string> plugged{};  // ac, usb, wireless, dock
  std::string health{};                // good, overheat, dead, over_voltage, failure, cold, unknown
  std::optional<double> celsius{};
  std::optional<std::int64_t> millivolts{};
  bool frozen = false;  // set for a test: not the battery's own values
};

// nullopt without a level.
std::optional<Battery> parse_battery(std::string_view dumpsys);

Task<Battery> read_battery(adbproto::Device* device);

JsonObject& add_battery(JsonObject& json, const Battery& battery);

}  // namespace clawperator
