#pragma once
// Numbers in text that comes from outside.

#include <charconv>

#include "base/prelude.hpp"

namespace base {

// The number that all of `text` is; nullopt for anything around it, and for one that does not fit
// into a Number. A minus is read for signed types, a plus never.
template <class Number>
std::optional<Number> whole_number(std::string_view text, int radix = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, radix);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace base
