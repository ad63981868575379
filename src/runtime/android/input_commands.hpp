#pragma once
// Fingers and keys by the device's own `input`: words of its service from Android 12 on, arguments
// of a program before. It says nothing where it worked, and nothing where nobody took the event.

#include "base/bytes.hpp"
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
// By number: a name that a release does not know is silently taken for no key at all.
// A finger that takes hold of something first. Since Android 10 the time that it holds is a part of
// `duration_ms`: below kShortestDrag the finger would not move at all.
Words drag_words(InputPoint from, InputPoint to, int duration_ms);
inline constexpr int kShortestDrag = 1000;
// Two taps on one line of the device's sh, far enough apart and near enough to be one gesture, from
// Android 12 on: before, each starts a program for a second.
std::string double_tap_line(InputPoint at);
inline constexpr int kDoubleTaps = 31;
Words keyevent_words(int key);
Words keyevents_words(std::span<const int> keys);  // one after the other
// One of input_text_pieces.
Words text_words(std::string_view piece);

inline constexpr int kMaxKey = 288;  // Android 11's last one
// "KEYCODE_BACK" and "4" are 4; nullopt for what is none of the keys known here.
std::optional<int> key_number(std::string_view name);

// As people write it: "back", "Volume Up", "recents", or as above.
std::optional<int> find_key(std::string_view given);

// Prints what parse_keyboard reads: whether a keyboard is shown, and what is in front.
std::string keyboard_line(int sdk);

// `input text` types what an American keyboard has, in one piece or not at all.
bool can_type(std::string_view text);
// Each piece is short, for every letter is two events that the app has to take; and none holds
// "%s", which `input text` takes for a blank, whatever is written in front of it.
std::vector<std::string> input_text_pieces(std::string_view text);

// A touchscreen of two fingers that the phone's own `hid` program makes out of /dev/uhid: `input`
// has one finger only. Since Android 8.1 the shell may write that node, where the kernel has it.
//
//   report: for each finger  1 bit down, 7 bits nothing, 8 bits its number, 16 bits x, 16 bits y
//           then             8 bits how many fingers are told of

inline constexpr int kTouchRange = 32767;  // x and y are 0 to this, over the whole panel

struct TouchPoint {
  int x = 0;
  int y = 0;

  bool operator==(const TouchPoint&) const = default;
};

// Both fingers at one moment.
using TouchFrame = std::array<TouchPoint, 2>;

std::span<const std::uint8_t> touch_descriptor();
Bytes touch_report(const TouchFrame& frame, bool down);

// Prints "uhid" where the shell may write the node, and the path of the program where it is.
std::string touch_probe_line();

// Makes the touchscreen, waits until Android lists it, moves both fingers along and lifts them. The
// mark is told on stderr when the fingers come; without it nothing was touched.
inline constexpr std::string_view kTouchMark = "clawperator-fingers";
std::string virtual_touch_line(std::span<const TouchFrame> frames);

}  // namespace clawperator
