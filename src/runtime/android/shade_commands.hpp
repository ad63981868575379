#pragma once
// Lines that ask for the notifications and move the shade that shows them.

#include <optional>
#include <string>
#include <string_view>

#include "runtime/android/screen_state.hpp"

namespace clawperator {

// Prints every record with its texts; without the option only their lengths (Android 7 and newer).
std::string notifications_line();

// The service's own command since Android 8; 7 is asked by the number of the method.
std::string shade_line(int sdk, bool open);

// Prints what parse_shade reads.
std::string shade_state_line();

struct ShadeState {
  ScreenState screen{};
  std::optional<bool> open{};  // absent: the phone does not tell which window has the focus

  bool operator==(const ShadeState&) const = default;
};
// On the lock screen the window that has the focus is the shade's, too: `open` means something
// where `screen` is neither off nor locked.
ShadeState parse_shade(std::string_view text);

}  // namespace clawperator
