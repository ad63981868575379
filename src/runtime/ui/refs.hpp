#pragma once
// Observation refs: how a caller names a node of a screen it has seen.
//
//   1a2b3c4d5e6f@7    node 7 of the tree with that hash
//   @7                node 7 of whatever tree the caller holds
//
// A ref is turned into a matcher that only this node fulfils; the device then finds the node even
// where the screen moved. Without such a matcher the centre of the bounds is all there is, and
// that is only true as long as the tree is the same.

#include "base/error.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct ObservationRef {
  std::string hash;  // empty for "@7"
  int number = 0;

  bool operator==(const ObservationRef&) const = default;
};

std::string to_string(const ObservationRef& ref);

// errc::usage for anything that is not a ref.
Result<ObservationRef> parse_ref(std::string_view text);

// The index of the node; errc::stale_ref when the ref is of another tree or of no node of it.
Result<std::size_t> resolve_ref(const UiTree& tree, std::string_view text);

// What the device's NodeMatcher asks of a node: equal strings, the role without regard to case,
// substrings too; every field that is given must hold.
struct NodeMatcher {
  std::optional<std::string> resource_id{}, role{}, text_equals{}, text_contains{},
      description_equals{}, description_contains{};

  bool operator==(const NodeMatcher&) const = default;
};

bool matches(const NodeMatcher& matcher, const UiNode& node);

// The matcher with the fewest fields that holds for this node and no other, stabler fields first;
// nullopt when nothing tells the node from another one.
std::optional<NodeMatcher> unique_matcher(const UiTree& tree, std::size_t node);

// The matcher object of an execution, by the published names. What is no string, or an empty one,
// asks for nothing.
NodeMatcher read_matcher(const nlohmann::ordered_json& object);

}  // namespace clawperator
