#pragma once
// A tap, swipe, key or text as JSON: the body of POST /devices/:serial/input, and what the MCP
// tools write that need no app. It becomes calls of the device's own `input`. Pure.
//
//   {"type":"tap","x":540,"y":1200}
//   {"type":"swipe","x1":540,"y1":1800,"x2":540,"y2":600,"durationMs":300}
//   {"type":"key","key":"KEYCODE_BACK"}
//   {"type":"text","text":"hello"}

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/engine/device_input.hpp"

namespace clawperator::act {

// Above any screen's side (kMaxFrameSide); this screen's own size is judged later.
inline constexpr int kMaxCoordinate = 32767;
// A slow drag and a long press fit; the phone's turn is taken for as long.
inline constexpr int kMaxSwipeMs = 10000;
// `input text` sends key events letter by letter, so a long text takes seconds.
inline constexpr std::size_t kMaxInputText = 1000;

// Without a command id. invalid_input, input_text_unsupported.
Result<DeviceInput> read_input(const Json& body);
// The same of two quick taps at one point.
DeviceInput double_tap(InputPoint at);

}  // namespace clawperator::act
