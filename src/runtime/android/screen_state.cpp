#include "runtime/android/screen_state.hpp"

#include "base/text.hpp"

namespace clawperator {
namespace {

// What stands behind `name`, up to a blank; nullopt: the text does not have it.
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

}  // namespace clawperator
