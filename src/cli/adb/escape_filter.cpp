#include "cli/adb/escape_filter.hpp"

#include <utility>

namespace clawperator::cli {

void EscapeFilter::key(char c, std::string& out) {
  const State before = std::exchange(state_, State::mid_line);
  if (c == escape_ && before == State::line_start) {
    state_ = State::escaped;
    return;
  }
  if (c == escape_) {
    out += c;
    return;
  }
  if (before == State::escaped && c == '.') {
    state_ = State::disconnected;
    return;
  }
  if (before == State::escaped) out += escape_;
  out += c;
  if (c == '\n' || c == '\r') state_ = State::line_start;
}

std::string EscapeFilter::take(std::string_view typed) {
  if (escape_ == kNoEscape) return std::string(typed);
  std::string out;
  for (const char c : typed) {
    if (disconnected()) break;
    key(c, out);
  }
  return out;
}

}  // namespace clawperator::cli
