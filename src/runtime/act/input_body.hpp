#pragma once
// What somebody wants `input` of the device to do, as that program is told. Pure. It is the body of
// POST /devices/:serial/input, and what the tools of `mcp` are made of that need no app.
//
//   {"type":"tap","x":540,"y":1200}
//   {"type":"swipe","x1":540,"y1":1800,"x2":540,"y2":600,"durationMs":300}
//   {"type":"key","key":"KEYCODE_BACK"}
//   {"type":"text","text":"hello"}

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/engine/verify.hpp"

namespace clawperator::act {

inline constexpr int kMaxCoordinate = 32767;
inline constexpr int kMaxSwipeMs = 10000;
inline constexpr std::size_t kMaxInputText = 1000;

struct InputBody {
  std::string_view kind{};  // tap, swipe, key, text
  std::vector<Words> calls;
  std::vector<InputPoint> points{};  // where fingers go
  std::chrono::milliseconds limit;   // of each
  std::string told;  // the body as JSON text for the events, which tell a text's length alone
  std::optional<Verify> verify{};
};

// invalid_input, input_text_unsupported.
Result<InputBody> read_input(const Json& body);

}  // namespace clawperator::act
