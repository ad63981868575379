#pragma once
// A table with lines around its cells, in the width that the caller gives.

#include "base/prelude.hpp"

namespace clawperator::cli {

struct Column {
  std::string header{};
  std::size_t least = 0;     // smallest width, with a blank on both sides
  bool is_flexible = false;  // grows and shrinks first
};

// `width` counts characters, with the lines. Long texts are wrapped, if possible after blanks and
// / - _ . characters.
std::string boxed_table(const std::vector<Column>& columns,
                        const std::vector<std::vector<std::string>>& rows, std::size_t width);

}  // namespace clawperator::cli
