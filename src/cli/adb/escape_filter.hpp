#pragma once
// The way out of a terminal whose keys all go to the device: the escape character first on a line,
// then '.'.
//
//   line start --ESC--> escaped --'.'--> disconnected
//        ^                 | ESC: one ESC is sent; other: ESC and it are sent
//        '--CR, LF-- mid line <--other--'

#include <string>
#include <string_view>

namespace clawperator::cli {

inline constexpr char kNoEscape = '\0';

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

}  // namespace clawperator::cli
