#pragma once
// The schema of a tool's arguments, in keywords that the APIs of all model makers accept: each
// object names its members and each array its items. There are no unions, references or other
// keywords that one of them refuses. `additionalProperties` is such a keyword, so unknown members
// are refused when a call is read.

#include "runtime/mcp/arguments.hpp"

namespace clawperator::mcp {

// The text of a JSON Schema of an object.
std::string input_schema(std::span<const Property> properties);

}  // namespace clawperator::mcp
