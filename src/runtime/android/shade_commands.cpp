#include "runtime/android/shade_commands.hpp"

#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr int kShadeByCommand = 26;  // Android 8
constexpr std::string_view kFocus = "mCurrentFocus=Window{";

// Until Android 10 the shade is a part of the status bar's window.
bool is_shade(std::string_view window) {
  window = window.substr(0, window.find('}'));
  const std::string_view name = window.substr(window.rfind(' ') + 1);
  return name == "NotificationShade" || name == "StatusBar";
}

}  // namespace

std::string notifications_line() { return "dumpsys notification --noredact"; }

std::string shade_line(int sdk, bool open) {
  if (sdk < kShadeByCommand) return open ? "service call statusbar 1" : "service call statusbar 2";
  return open ? "cmd statusbar expand-notifications" : "cmd statusbar collapse";
}

std::string shade_state_line() {
  return screen_state_line() + "; dumpsys window | grep mCurrentFocus= || true";
}

ShadeState parse_shade(std::string_view text) {
  ShadeState state{.screen = parse_screen_state(text)};
  // Each display tells a window.
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    if (!line.contains("mCurrentFocus=")) continue;
    const auto at = line.find(kFocus);
    const bool shown = at != line.npos && is_shade(line.substr(at + kFocus.size()));
    state.open = state.open.value_or(false) || shown;
  }
  return state;
}

}  // namespace clawperator
