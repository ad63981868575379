#pragma once
// Who has shown the token once, and is known by a cookie from then on: browsers, whose pages should
// not hold the token and whose EventSource and pictures cannot send it. The cookie is a random
// value of its own. Pure but for the system's random bytes.

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/namespaces.hpp"

namespace clawperator::http {

// 160 bits as 32 letters and digits, which nobody guesses.
Result<std::string> random_token();

// How long it takes tells the length at most. An empty secret is nobody's.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

class BrowserSessions {
 public:
  static constexpr std::size_t kMost = 64;

  // The value of a new one; the oldest ends where there are kMost.
  Result<std::string> begin();
  [[nodiscard]] bool knows(std::string_view value) const;
  void end(std::string_view value);

 private:
  std::deque<std::string> values_;
};

}  // namespace clawperator::http
