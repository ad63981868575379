#include "runtime/android/system_commands.hpp"

#include "adbproto/wire/services.hpp"

namespace clawperator {
namespace {

constexpr int kUserRotationVerb = 31;   // Android 12
constexpr int kWifiByCommand = 30;      // 11
constexpr int kAirplaneByCommand = 29;  // 10

std::string on_or_off(bool on, const char* yes, const char* no) { return on ? yes : no; }

}  // namespace

std::string rotation_line(int sdk, std::optional<int> quarter_turns) {
  const std::string verb = sdk >= kUserRotationVerb ? "wm user-rotation" : "wm set-user-rotation";
  return quarter_turns ? verb + " lock " + std::to_string(*quarter_turns) : verb + " free";
}

std::string battery_line() { return "dumpsys battery"; }

std::string read_clipboard_line() { return "cmd clipboard get"; }

std::string write_clipboard_line(std::string_view text) {
  return "cmd clipboard set " + adbproto::quote_for_shell(text);
}

std::optional<std::string> network_line(int sdk, PhoneNetwork network, bool on) {
  switch (network) {
    case PhoneNetwork::airplane:
      if (sdk < kAirplaneByCommand) return std::nullopt;
      return "cmd connectivity airplane-mode " + on_or_off(on, "enable", "disable");
    case PhoneNetwork::wifi:
      if (sdk < kWifiByCommand) return "svc wifi " + on_or_off(on, "enable", "disable");
      return "cmd wifi set-wifi-enabled " + on_or_off(on, "enabled", "disabled");
    default: return "svc data " + on_or_off(on, "enable", "disable");
  }
}

std::string network_setting(PhoneNetwork network) {
  switch (network) {
    case PhoneNetwork::airplane: return "airplane_mode_on";
    case PhoneNetwork::wifi: return "wifi_on";
    default: return "mobile_data";
  }
}

}  // namespace clawperator
