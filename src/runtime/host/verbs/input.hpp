#pragma once
// The device's own `input`, and the soft keyboard, put away by it.

#include "runtime/engine/device_input.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// The error names a maker's setting that may forbid it.
Task<PictureProof> give_input(adbproto::Device* device, DeviceInput input);

// The parsed output of keyboard_line.
struct KeyboardState {
  bool shown = false;
  std::string activity{};  // the one in front; empty where the phone does not report it

  bool operator==(const KeyboardState&) const = default;
};
// nullopt where the text does not contain whether a keyboard is shown.
std::optional<KeyboardState> parse_keyboard(std::string_view printed);

// As the system and the keyboard itself report it. device_shell_unavailable where they do not.
Task<bool> is_keyboard_shown(adbproto::Device* device);

// Escape, and back where that did not do it; nothing where no keyboard is shown, for back would
// leave the screen. `command_id`: as of DeviceInput.
Task<ReadBack> hide_keyboard(adbproto::Device* device, std::string command_id);

}  // namespace clawperator
