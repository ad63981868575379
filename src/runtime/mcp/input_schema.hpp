#pragma once
// What clients are told of the arguments of a tool, in words that the models' makers all take: each
// object has members that are named and each array says what it holds; there are no unions,
// references and other words that one of them refuses. Other members than these are refused by the
// reading, not by the schema: `additionalProperties` is such a word.

#include "runtime/mcp/arguments.hpp"

namespace clawperator::mcp {

// The text of a JSON Schema of an object.
std::string input_schema(std::span<const Property> properties);

}  // namespace clawperator::mcp
