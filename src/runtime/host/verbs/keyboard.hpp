#pragma once
// The soft keyboard, put away.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// What keyboard_line prints.
struct KeyboardState {
  bool shown = false;
  std::string activity{};  // the one in front; empty where the phone does not say

  bool operator==(const KeyboardState&) const = default;
};
// nullopt where it does not tell whether a keyboard is shown.
std::optional<KeyboardState> parse_keyboard(std::string_view printed);

// Escape, and back where that did not do it; nothing where no keyboard is shown, for back would
// leave the screen. `command_id`: as of DeviceInput.
Task<Effect> hide_keyboard(adbproto::Device* device, std::string command_id);

}  // namespace clawperator
