#pragma once
// The shape of an execution: which members exist, their types, lengths and ranges. Issues come in
// schema order: the fields of an object, then its unknown keys, then what holds between fields.

#include "base/json_document.hpp"
#include "runtime/contract/issues.hpp"

namespace clawperator {

// `aborted`: something has the wrong type or is missing, so no later rule may look at the value.
// Wrong sizes, ranges and unknown keys leave it usable.
enum class Verdict { usable, aborted };

// `execution` has its aliases resolved.
Verdict check_schema(const Json& execution, Issues& issues);

}  // namespace clawperator
