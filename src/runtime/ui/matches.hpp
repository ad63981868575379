#pragma once
// What is told of a selector that fits several nodes: how many, and which one was taken.

#include <cstddef>
#include <string>

#include "runtime/contract/json_text.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

struct Matches {
  std::size_t count = 0;
  std::string taken{};  // its line in a tree, without a ref: nobody was shown the tree; empty: none

  [[nodiscard]] bool are_several() const { return count > 1; }
  void tell(JsonObject& json) const;  // "matches", "taken"
};

// The first of them is taken, which is what devices do.
Matches matches_of(const UiTree& tree, const NodeMatcher& matcher);

}  // namespace clawperator
