#pragma once
// What is told of a selector that fits several nodes: how many, and which one was taken.

#include <cstddef>
#include <string>

#include "runtime/contract/json_text.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

struct Matches {
  std::size_t count = 0;
  std::string taken{};  // as describe_on tells it; empty: none

  [[nodiscard]] bool are_several() const { return count > 1; }
  void tell(JsonObject& json) const;  // "matches", "taken"
};

// The first of them is taken, which is what devices do.
Matches matches_of(const UiTree& tree, const NodeMatcher& matcher);

// Its line in a compact tree, which begins with its whole ref; without one where it has none.
std::string describe_on(const UiTree& tree, std::size_t node);

}  // namespace clawperator
