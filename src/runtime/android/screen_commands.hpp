#pragma once
// Reads the screen's state, and moves the notification shade: one line for the query, and the
// parser of its answer.

#include "base/prelude.hpp"

namespace clawperator {

// `dumpsys power` names it `mWakefulness=Awake` (Asleep, Dozing, Dreaming else), on every release;
// `dumpsys window policy` reports the lock screen as KeyguardStateMonitor's `mIsShowing=`.
std::string screen_state_line();

struct ScreenState {
  std::optional<bool> awake{};   // absent: the phone does not report it
  std::optional<bool> locked{};  // the lock screen is shown, or lies below what covers it

  bool operator==(const ScreenState&) const = default;
};
ScreenState parse_screen_state(std::string_view text);

// The displays by `dumpsys display`. With several (foldables, external screens): since Android 12
// `screencap` without a display takes the first one, which may be the dark one, and warns on
// stderr.

// Whether screencap's stderr warns that it had to choose a display.
bool names_several_displays(std::string_view screencap_err);

// Prints what main_display reads.
std::string displays_line();
// The physical id of the display that shows the default viewport (displayId 0), for `screencap -d`;
// nullopt where `dumpsys display` names none.
std::optional<std::string> main_display(std::string_view text);

// How many quarter turns the picture of the default display is turned, as apps see it; nullopt
// where the text does not contain it.
std::optional<int> main_rotation(std::string_view text);

// Prints what parse_screen_now reads (engine/screen_size.hpp): how large the displays are as they
// are turned now, and where a keyboard is (Android 11 and newer).
std::string screen_now_line();

// Lines that list the notifications and move the shade that shows them.

// Prints every record with its texts; without the option only their lengths (Android 7 and newer).
std::string notifications_line();

// What the shade shows: nothing, the notifications, or all of the quick settings.
enum class Shade : std::uint8_t { closed, open, quick_settings };
inline constexpr int kQuickSettings = 26;  // the release since which a command shows them
// The service's own command since Android 8; Android 7 is called by the number of the method.
std::string shade_line(int sdk, Shade wanted);

// Prints what parse_shade reads.
std::string shade_state_line(int sdk);

struct ShadeState {
  ScreenState screen{};
  std::optional<bool> open{};  // absent: the phone does not report which window has the focus

  bool operator==(const ShadeState&) const = default;
};
// On the lock screen the window that has the focus is the shade's, too: `open` means something
// where `screen` is neither off nor locked.
ShadeState parse_shade(std::string_view text);

}  // namespace clawperator
