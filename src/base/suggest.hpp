#pragma once
// Did-you-mean: the nearest known word by edit distance.

#include "base/prelude.hpp"

namespace base {

std::size_t levenshtein(std::string_view a, std::string_view b);

// The first of the best candidates with a likeness 1 - distance/longer above 0.75.
std::optional<std::string_view> suggest_flag(std::string_view flag,
                                             std::span<const std::string_view> candidates);

// A word for a message; a very long one is cut.
std::string clipped(std::string_view word);

struct NameCandidate {
  std::string_view name;
  bool primary = false;  // a primary name wins over a synonym of the same distance
};

// At most max(2, length/2) edits away; nearest first, then primary, then alphabetical.
std::optional<std::string_view> suggest_name(std::string_view name,
                                             std::span<const NameCandidate> candidates);

// ". Did you mean 'NAME'?", or where none is near "; known are: A, B".
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

}  // namespace base
