#pragma once
// Parses numbers in text from outside.

#include <charconv>

#include "base/prelude.hpp"

namespace base {

// The number, if `text` is nothing else; nullopt for further characters, and for a number that does
// not fit into a Number. Signed types accept a minus; a plus is never accepted.
template <class Number>
std::optional<Number> whole_number(std::string_view text, int radix = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, radix);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace base
