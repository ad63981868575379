#pragma once
// A place in a text file. Both count from 1, a column in characters.

#include <compare>
#include <cstddef>

namespace base {

struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;

  auto operator<=>(const TextPlace&) const = default;
};

}  // namespace base
