#pragma once

#include "base/json_document.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

inline constexpr std::size_t kMaxMatcherField = 512;  // what validation allows

// What the device's NodeMatcher asks of a node: equal strings, the role without regard to case,
// substrings too; every field that is given must hold.
struct NodeMatcher {
  std::optional<std::string> resource_id{}, role{}, text_equals{}, text_contains{},
      description_equals{}, description_contains{};

  bool operator==(const NodeMatcher&) const = default;
};

bool matches(const NodeMatcher& matcher, const UiNode& node);

// Whether a matcher may have such a value: not too long, and not blank alone.
bool is_usable(std::string_view value);
// What the device compares a wanted text with: the text, or the description of a node without one.
const std::string& label_of(const UiNode& node);

// The matcher object of an execution, by the published names. What is no string, or an empty one,
// asks for nothing.
NodeMatcher read_matcher(const nlohmann::ordered_json& object);

}  // namespace clawperator
