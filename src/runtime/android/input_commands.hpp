#pragma once
// Fingers and keys by the device's own `input`: words of its service from Android 12 on, arguments
// of a program before. It prints nothing on success, and nothing where no window took the event.

#include "runtime/android/service_command.hpp"

namespace clawperator {

// Pixels of the display as it is turned now.
struct InputPoint {
  int x = 0;
  int y = 0;
};

Words tap_words(InputPoint at);
// A finger that stays where it is, is a long press. `duration_ms`: absent is Android's own, 300.
Words swipe_words(InputPoint from, InputPoint to, std::optional<int> duration_ms);
// A finger that takes hold of something first. Since Android 10 the time that it holds is a part of
// `duration_ms`: below kShortestDrag the finger would not move at all.
Words drag_words(InputPoint from, InputPoint to, int duration_ms);
inline constexpr int kShortestDrag = 1000;
// Two taps on one line of the device's sh, far enough apart and near enough to be one gesture, from
// Android 12 on: before, each starts a program for a second.
std::string double_tap_line(InputPoint at);
inline constexpr int kDoubleTaps = 31;
// By number: a release silently takes an unknown name for no key at all.
Words keyevent_words(int key);
Words keyevents_words(std::span<const int> keys);  // one after the other
// One of input_text_pieces.
Words text_words(std::string_view piece);

inline constexpr int kMaxKey = 288;  // Android 11's last one
// "KEYCODE_BACK" and "4" are 4; nullopt for an unknown key.
std::optional<int> key_number(std::string_view name);

// A key's name: "back", "Volume Up", "recents", or as above.
std::optional<int> find_key(std::string_view given);

// Its output is parsed by parse_keyboard: whether a keyboard is shown, and the activity in front.
std::string keyboard_line(int sdk);

// `input text` types what an American keyboard has, in one piece or not at all.
bool can_type(std::string_view text);
// Each piece is short, for every letter is two events that the app has to take; and none holds
// "%s", which `input text` takes for a blank, whatever is written in front of it.
std::vector<std::string> input_text_pieces(std::string_view text);

}  // namespace clawperator
