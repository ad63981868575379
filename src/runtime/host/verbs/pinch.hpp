#pragma once
// Two fingers that come together or go apart, where the phone lets the shell make a touchscreen.

#include "runtime/android/input_commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct PinchRequest {
  bool out = false;                    // apart: larger
  std::optional<InputPoint> centre{};  // of the screen as it is turned; absent: its middle
  std::optional<int> distance{};       // of the fingers where they are farthest apart, in pixels
};

struct PinchPath {
  InputPoint centre{};
  int distance = 0;
  std::vector<TouchFrame> frames{};  // of the panel, which is not turned
};
// nullopt where a finger would leave the screen. `screen`: as the phone is held upright.
std::optional<PinchPath> pinch_path(const PinchRequest& request, ScreenSize screen,
                                    int quarter_turns);

struct Pinched {
  ReadBack effect = ReadBack::unknown;
  InputPoint centre{};
  int distance = 0;
};

// The pictures before and after decide, without the strip at the top: unknown where the screen
// moves by itself or forbids pictures. unsupported, and nothing sent, where the shell may not write
// /dev/uhid, the `hid` program is missing, or Android does not take the touchscreen.
Task<Pinched> pinch(adbproto::Device* device, PinchRequest request);

}  // namespace clawperator
