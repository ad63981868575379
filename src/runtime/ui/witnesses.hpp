#pragma once
// Texts that distinguish a window from others with the same node.
//
//   app:id/parentPanel         "container": no other node with that id is around the first witness
//     "Delete file?"           a witness
//     buttonPanel
//       android:id/button1     the node
//
// A later dialog with the same button has other texts.

#include "runtime/ui/node_matcher.hpp"

namespace clawperator {

struct Witnesses {
  std::vector<NodeMatcher> texts{};  // the most distinctive first; few
  std::string container_id{};        // of a node around both; empty: none has an id

  [[nodiscard]] bool are_contained() const { return !texts.empty() && !container_id.empty(); }
  bool operator==(const Witnesses&) const = default;
};

// Texts that are as far from the node as its window allows, so that a copy of the node does not
// contain them. No text that scrolls, is typed or changes by itself, as far as that can be known.
Witnesses witnesses_of(const UiTree& tree, std::size_t node);

// Whether the window of that node has most of those texts.
bool has_most(const UiTree& tree, std::size_t node, const Witnesses& witnesses);

}  // namespace clawperator
