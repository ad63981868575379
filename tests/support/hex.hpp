#pragma once
// Bytes as a specification prints them.

#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace adbproto::testing {

// "4f 4b" or "4f4b" as bytes.
inline Bytes from_hex(std::string_view hex) {
  Bytes out;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    out.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return out;
}

}  // namespace adbproto::testing
