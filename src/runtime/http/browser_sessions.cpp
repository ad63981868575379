#include "runtime/http/browser_sessions.hpp"

#include <sys/random.h>

#include <array>

namespace clawperator::http {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuv";

}  // namespace

Result<std::string> random_token() {
  std::array<unsigned char, 32> random{};
  if (::getrandom(random.data(), random.size(), 0) != ssize_t{random.size()}) {
    return fail(errc::io, "no token can be made: the system gives no random bytes");
  }
  std::string token;
  for (const unsigned char byte : random) token += kAlphabet[byte & 31U];
  return token;
}

bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  if (secret.empty()) return false;
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at) {
    difference |= static_cast<unsigned char>(given[at] ^ secret[at % secret.size()]);
    __asm__ __volatile__("" : "+r"(difference));  // or the loop might end early
  }
  return difference == 0;
}

Result<std::string> BrowserSessions::begin() {
  TRY(std::string value, random_token());
  if (values_.size() == kMost) values_.pop_front();
  values_.push_back(value);
  return value;
}

// All are looked at, whichever it is.
bool BrowserSessions::knows(std::string_view value) const {
  bool known = false;
  for (const std::string& each : values_) known |= equal_in_constant_time(value, each);
  return known;
}

void BrowserSessions::end(std::string_view value) {
  std::erase_if(values_,
                [&](const std::string& each) { return equal_in_constant_time(value, each); });
}

}  // namespace clawperator::http
