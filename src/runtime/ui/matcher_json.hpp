#pragma once
// The matcher object of an execution as the fields that a node must have.

#include "runtime/contract/json_document.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

// By the published names. What is no string, or an empty one, asks for nothing.
NodeMatcher read_matcher(const nlohmann::ordered_json& object);

}  // namespace clawperator
