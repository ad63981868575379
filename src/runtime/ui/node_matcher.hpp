#pragma once

#include "runtime/contract/param.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

bool matches(const NodeMatcher& matcher, const UiNode& node);

// Whether a matcher may have such a value: not too long, and not blank alone.
bool is_usable(std::string_view value);
// The device compares a wanted text with the node's text, or with the description of a node without
// one. A hint matches as well, but it is no label: an empty field does not read as its hint.
const std::string& label_of(const UiNode& node);

}  // namespace clawperator
