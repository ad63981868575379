#pragma once
// An open device service, connected to this process's standard streams.
//
//   in  --[escape]--[shell v2 frames]--> stream
//   SIGWINCH --------[window size]-----> stream
//   out, err <------[shell v2 frames]--- stream, until its exit packet
//
// One coroutine for each direction. Each reads again only after its last bytes are written, so
// that a slow side slows the other and no buffer grows.

#include "adbproto/client/shell.hpp"

namespace clawperator::cli {

inline constexpr int kNoExitStatus = 255;  // a framed command whose exit packet never came
inline constexpr int kClosedOutput = 141;  // the reader of our output is gone: 128 + SIGPIPE
inline constexpr int kFailedOutput = 1;    // it cannot be written: the disk is full, say

inline constexpr char kNoEscape = '\0';

// The user's way out of a raw terminal: the escape character at the beginning of a line, then '.'.
//
//   line start --ESC--> escaped --'.'--> disconnected
//        ^                 | ESC: one ESC is sent; other: ESC and it are sent
//        '--CR, LF-- mid line <--other--'
class EscapeFilter {
 public:
  explicit EscapeFilter(char escape) : escape_(escape) {}

  // Returns the part of `typed` that goes to the device.
  std::string take(std::string_view typed);
  // After that, further input is ignored.
  [[nodiscard]] bool disconnected() const { return state_ == State::disconnected; }

 private:
  enum class State { line_start, mid_line, escaped, disconnected };

  void key(char c, std::string& out);

  char escape_;
  State state_ = State::line_start;
};

enum class Keyboard { cooked, raw };  // raw: every key goes to the device

struct SessionOptions {
  Framing framing = Framing::shell_v2;
  Keyboard keyboard = Keyboard::cooked;
  char escape = kNoEscape;  // only where the keyboard is raw
  // How long to stay after the input has ended, for commands that get no end of input.
  std::chrono::milliseconds stay_after_input = std::chrono::milliseconds::max();
  int in = 0;  // -1 here and below: no descriptor
  int out = 1;
  int err = 2;
};

// Returns the command's exit code, or 0 for an unframed service and after an escape. A broken link
// is reported on stderr and returns kNoExitStatus; output that cannot be written returns
// kFailedOutput. A stderr that cannot be written stops nothing.
Task<int> run_session(ByteStream* stream, SessionOptions options);

}  // namespace clawperator::cli
