#pragma once
// Whether somebody could use the screen now: one line that asks, and its answer read.

#include <optional>
#include <string>
#include <string_view>

namespace clawperator {

// `dumpsys power` names it `mWakefulness=Awake` (Asleep, Dozing, Dreaming else), on every release;
// `dumpsys window policy` tells of the lock screen as KeyguardStateMonitor's `mIsShowing=`.
std::string screen_state_line();

struct ScreenState {
  std::optional<bool> awake{};   // absent: the phone does not tell
  std::optional<bool> locked{};  // the lock screen is shown, or lies below what covers it

  bool operator==(const ScreenState&) const = default;
};
ScreenState parse_screen_state(std::string_view text);

}  // namespace clawperator
