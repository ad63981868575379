#pragma once
// A table with lines around its cells, as wide as the caller wants it.

#include "base/prelude.hpp"

namespace clawperator::cli {

struct Column {
  std::string header{};
  std::size_t least = 0;     // wide, with a blank at both sides
  bool is_flexible = false;  // grows and shrinks first
};

// `width` counts characters, with the lines. Texts that are too long go on in further lines, cut
// behind blanks and / - _ . where they can be.
std::string boxed_table(const std::vector<Column>& columns,
                        const std::vector<std::vector<std::string>>& rows, std::size_t width);

}  // namespace clawperator::cli
