#pragma once
// Undoes what some hosts do to the arguments of a model: they send the JSON text of an object or an
// array, and "", {}, [] or null in each place that the model has left out. Pure.

#include "base/json_document.hpp"

namespace clawperator::mcp {

// null, "", [], and an object whose members are all blank.
bool is_blank_value(const Json& value);

// The object or array whose JSON text `value` is, null for the text of that; any other value as it
// is.
Json read_text(const Json& value);

std::optional<double> number_of(const Json& value);  // also of "12"
std::optional<bool> boolean_of(const Json& value);   // also of "true"

// An object without its blank members.
Json without_blanks(const Json& object);

// The actions of a plan: each of them, its params and the nodes and points in these may be JSON
// texts, and numbers and booleans texts; blank values are left out, and so is the point 0,0 beside
// a matcher.
Json plain_steps(const Json& steps);

// The same of the conditions of a wait.
Json plain_conditions(const Json& conditions);

}  // namespace clawperator::mcp
