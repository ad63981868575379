#pragma once
// The patterns of Android's sh (mksh), for case, ${x#..}, ${x%..} and file names:
//
//   *  ?  [a-z]  [!a-z]  [[:digit:]]   as everywhere
//   a|b                                alternatives
//   \c                                 c itself

#include <string>
#include <string_view>

namespace simdroid {

// The whole text.
bool matches_pattern(std::string_view pattern, std::string_view text);

// With every character that means something in a pattern escaped.
std::string escape_pattern(std::string_view text);
// The same but for * ? [: what a variable's value means in a pattern.
std::string escape_alternatives(std::string_view text);

}  // namespace simdroid
