#pragma once
// An opened device service joined to this process's standard streams.
//
//   in  --[escape]--[shell v2 frames]--> stream
//   SIGWINCH --------[window size]-----> stream
//   out, err <------[shell v2 frames]--- stream, until its exit packet
//
// Two coroutines, one for each direction; each reads on only when its last bytes were taken, so
// that a slow side slows the other and nothing piles up.

#include "adbproto/client/shell.hpp"

namespace clawperator::cli {

inline constexpr int kNoExitStatus = 255;  // a framed command whose exit packet never came
inline constexpr int kClosedOutput = 141;  // the reader of our output is gone: 128 + SIGPIPE
inline constexpr int kFailedOutput = 1;    // it cannot be written: the disk is full, say

inline constexpr char kNoEscape = '\0';

// The way out of a terminal whose keys all go to the device: the escape character first on a line,
// then '.'.
//
//   line start --ESC--> escaped --'.'--> disconnected
//        ^                 | ESC: one ESC is sent; other: ESC and it are sent
//        '--CR, LF-- mid line <--other--'
class EscapeFilter {
 public:
  explicit EscapeFilter(char escape) : escape_(escape) {}

  // What of `typed` goes to the device.
  std::string take(std::string_view typed);
  // Nothing typed after that counts.
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
  // How long to stay once the input has ended, for commands that do not learn of it.
  std::chrono::milliseconds stay_after_input = std::chrono::milliseconds::max();
  int in = 0;  // -1 here and below: none
  int out = 1;
  int err = 2;
};

// The exit code: the command's, 0 of an unframed service and after a disconnect by escape. A link
// that breaks is reported on stderr and is kNoExitStatus, output that cannot be written
// kFailedOutput. A stderr that cannot be written stops nothing.
Task<int> run_session(ByteStream* stream, SessionOptions options);

}  // namespace clawperator::cli
