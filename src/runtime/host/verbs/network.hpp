#pragma once
// Airplane mode, Wi-Fi and mobile data of the phone.

#include <string_view>

#include "runtime/android/system_commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// Whether the phone is reached over a network that it could lose: by an address that is not this
// computer's own, or by a name that it announces. An emulator's adb goes another way.
bool rides_on_network(std::string_view serial, std::string_view route);

// What the global setting `airplane_mode_on`, `wifi_on` or `mobile_data` means; nullopt: nothing.
std::optional<bool> network_is_on(std::string_view value);

struct NetworkSwitch {
  PhoneNetwork network = PhoneNetwork::wifi;
  bool on = false;
};

// link_at_risk: it would cut the way to the phone. unsupported: no shell of that release may.
// effect_not_confirmed: the phone's own setting is not what was asked for.
Task<Effect> switch_network(adbproto::Device* device, NetworkSwitch wanted);

}  // namespace clawperator
