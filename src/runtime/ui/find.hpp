#pragma once
// Finds nodes as the Operator app does: the first in document order that fulfils a matcher, and the
// texts around it.

#include "base/json_text.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

// The role that the app itself gives a node; ours (UiNode::role) has more names.
std::string_view operator_role(const UiNode& node);

// A role that was read in a snapshot counts as well as the app's own name for it.
bool matches_as_operator(const NodeMatcher& matcher, const UiNode& node);

// As the app puts it in its errors: "NodeMatcher(textEquals=Wi-Fi)".
std::string describe(const NodeMatcher& matcher);

// Behind the last node of the part of the tree that `root` is the root of.
std::size_t end_of_subtree(const UiTree& tree, std::size_t root);

// nullopt: no such node. `below`: only that node and its descendants; kNoNode: anywhere.
std::optional<std::size_t> find_node(const UiTree& tree, const NodeMatcher& matcher,
                                     std::size_t below = kNoNode);
// All of them, in document order.
std::vector<std::size_t> matching_nodes(const UiTree& tree, const NodeMatcher& matcher,
                                        std::size_t below = kNoNode);
std::optional<std::size_t> first_scrollable(const UiTree& tree, std::size_t below = kNoNode);

// The labels of all matches that are not blank.
std::vector<std::string> all_labels(const UiTree& tree, const NodeMatcher& matcher,
                                    std::size_t below = kNoNode);
// The value beside a label: searched from the label outwards, up to the list item around it.
std::optional<std::size_t> value_beside(const UiTree& tree, std::size_t label);

// Whether two trees show the same below these nodes: what scrolled shows something else.
bool shows_the_same(const UiTree& a, std::size_t below_a, const UiTree& b, std::size_t below_b);

// The report for a selector that matches several nodes: how many, and which one was taken.
struct Matches {
  std::size_t count = 0;
  std::string taken{};  // its line in a tree, without a ref: no tree was shown; empty: none

  [[nodiscard]] bool are_several() const { return count > 1; }
  void add_to(JsonObject& json) const;  // "matches", "taken"
};

// The first of them is taken, which is what devices do.
Matches matches_of(const UiTree& tree, const NodeMatcher& matcher);

// Nodes that nearly match a matcher that no node fulfils. Indices of at most `most` interesting
// nodes, the nearest first: those whose text, description or id is a wanted one but for what
// ui/near_text folds, then those that hold one, or are held by it. None with the opposite meaning.
std::vector<std::size_t> near_matches(const UiTree& tree, const NodeMatcher& wanted,
                                      std::size_t most);

}  // namespace clawperator
