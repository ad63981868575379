#pragma once
// A touchscreen of two fingers that the phone's own `hid` program makes out of /dev/uhid: `input`
// has one finger only. Since Android 8.1 the shell may write that node, where the kernel has it.
//
//   report: for each finger  1 bit down, 7 bits nothing, 8 bits its number, 16 bits x, 16 bits y
//           then             8 bits how many fingers are told of

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace clawperator {

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
