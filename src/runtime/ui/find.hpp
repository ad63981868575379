#pragma once
// Finds nodes as the Operator app does: the first in document order that fulfils a matcher, and the
// texts around it.

#include "base/json_text.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

// The role that the app itself gives a node; ours (UiNode::role) has more names.
std::string_view operator_role(const UiNode& node);

// A role as a snapshot shows it matches, and so does the app's own name for it.
bool matches_as_operator(const NodeMatcher& matcher, const UiNode& node);

// In the spelling of the app's errors: "NodeMatcher(textEquals=Wi-Fi)".
std::string describe(const NodeMatcher& matcher);

// The index behind the last node of the subtree of `root`.
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

// Whether two trees show the same below these nodes; after a scroll they differ.
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

// For a matcher that no node fulfils: at most `most` interesting nodes that nearly match, the
// nearest first. First come those whose text, description, hint or id equals a wanted one apart
// from what ui/near_text folds. Then come misspelled ones, and those with one misspelled word. The
// last contain a wanted one or are contained in it. Never one with the opposite meaning.
std::vector<std::size_t> near_matches(const UiTree& tree, const NodeMatcher& wanted,
                                      std::size_t most);

}  // namespace clawperator
