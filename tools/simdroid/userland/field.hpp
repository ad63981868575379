#pragma once
// One argument in the making: its text, and which of its characters mean themselves.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace simdroid {

struct Field {
  std::string text;
  std::string quoted;  // of each character of `text`: 'q', or 'p' for plain
  bool exists = false;

  void add(std::string_view more, bool is_quoted);
  [[nodiscard]] bool plain(std::size_t at, char c) const {
    return quoted[at] == 'p' && text[at] == c;
  }
  // A part of it, as a field of its own.
  [[nodiscard]] Field piece(std::size_t from, std::size_t to) const;
  // The text as a pattern for file names; what is quoted means itself.
  [[nodiscard]] std::string pattern() const;
  [[nodiscard]] bool globs() const;
};

// a{b,c{d,e}} is ab, acd and ace: appended to `done`. A brace that is not closed, or has no comma,
// is a letter. `invalid_argument` for more than anybody wants.
Result<void> expand_braces(const Field& field, std::vector<Field>* done);

}  // namespace simdroid
