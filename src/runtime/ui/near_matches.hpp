#pragma once
// What a matcher that no node fulfils may have meant: nodes that say nearly the same.

#include <cstddef>
#include <vector>

#include "runtime/ui/refs.hpp"

namespace clawperator {

// Indices of at most `most` interesting nodes, the nearest first: those whose text, description or
// id holds a wanted word, or is held by it, without regard to case, blanks and punctuation.
std::vector<std::size_t> near_matches(const UiTree& tree, const NodeMatcher& wanted,
                                      std::size_t most);

}  // namespace clawperator
