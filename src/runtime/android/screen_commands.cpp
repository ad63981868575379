#include "runtime/android/screen_commands.hpp"

#include "base/text.hpp"
#include "runtime/android/shell_lines.hpp"

namespace clawperator {

namespace {

// The text behind `name`, up to a blank; nullopt: the text does not have it.
std::optional<std::string_view> value_of(std::string_view text, std::string_view name) {
  const auto at = text.find(name);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  return text.substr(0, text.find_first_of(kBlanks));
}

}  // namespace

std::string screen_state_line() {
  return "dumpsys power | grep mWakefulness=; dumpsys window policy | grep mIsShowing=";
}

ScreenState parse_screen_state(std::string_view text) {
  ScreenState state;
  if (const auto wakefulness = value_of(text, "mWakefulness=")) {
    state.awake = *wakefulness == "Awake";
  }
  const auto showing = value_of(text, "mIsShowing=");
  if (showing == "true" || showing == "false") state.locked = *showing == "true";
  return state;
}

namespace {

// "0" without a further digit.
bool is_main(std::string_view number) {
  return number.starts_with('0') && (number.size() == 1 || !base::is_digit(number[1]));
}

}  // namespace

bool names_several_displays(std::string_view screencap_err) {
  return screencap_err.find("Multiple displays were found") != std::string_view::npos;
}

std::string displays_line() { return "dumpsys display"; }

// DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:46198',
// ..}
std::optional<std::string> main_display(std::string_view text) {
  constexpr std::string_view kViewport = "DisplayViewport{";
  constexpr std::string_view kLocal = "uniqueId='local:";
  for (auto at = text.find(kViewport); at != text.npos; at = text.find(kViewport, at)) {
    at += kViewport.size();
    const std::string_view viewport = text.substr(at, text.find('}', at) - at);
    const auto id = viewport.find(kLocal);
    if (viewport.find("displayId=0,") == viewport.npos || id == viewport.npos) continue;
    const std::string_view rest = viewport.substr(id + kLocal.size());
    const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (!digits.empty() && digits.size() <= 20) return std::string(digits);
  }
  return std::nullopt;
}

// mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0, ..., rotation 1, ...}
// The quote stands behind the number until Android 10, and once more from Android 12 on.
std::optional<int> main_rotation(std::string_view text) {
  constexpr std::string_view kInfo = "mOverrideDisplayInfo=DisplayInfo{";
  constexpr std::string_view kRotation = ", rotation ";
  constexpr std::string_view kNumber = ", displayId ";
  for (auto at = text.find(kInfo); at != text.npos; at = text.find(kInfo, at)) {
    at += kInfo.size();
    const std::string_view info = text.substr(at, text.find('\n', at) - at);
    const auto number = info.find(kNumber);
    const auto rotation = info.find(kRotation);
    const bool other = number != info.npos && !is_main(info.substr(number + kNumber.size()));
    if (other || rotation == info.npos) continue;
    const std::string_view rest = info.substr(rotation + kRotation.size());
    if (rest.size() < 2 || rest[0] < '0' || rest[0] > '3' || rest[1] != ',') continue;
    return rest[0] - '0';
  }
  return std::nullopt;
}

std::string screen_now_line() {
  return "dumpsys window displays 2>/dev/null | grep -E "
         "'Display: mDisplayId=| cur=|InsetsSource .*type=(ITYPE_IME|ime) ' || true";
}

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

std::string shade_line(int sdk, Shade wanted) {
  const bool opens = wanted != Shade::closed;
  if (sdk < kShadeByCommand) return opens ? "service call statusbar 1" : "service call statusbar 2";
  if (wanted == Shade::quick_settings) return "cmd statusbar expand-settings";
  return opens ? "cmd statusbar expand-notifications" : "cmd statusbar collapse";
}

std::string shade_state_line(int sdk) {
  return screen_state_line() + "; " + focus_dump(sdk) + "|grep mCurrentFocus= || true";
}

ShadeState parse_shade(std::string_view text) {
  ShadeState state{.screen = parse_screen_state(text)};
  // Each display reports a window.
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
