#pragma once
// The shape of an execution: which members exist, their types, lengths and ranges, and then what
// the rules of its actions say. Issues come in schema order: the fields of an object, then its
// unknown keys, then what holds between fields; the rules last, and only where every type is right.

#include "base/json_document.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/issues.hpp"

namespace clawperator {

// `document` has its aliases resolved. What is read counts only without an issue.
Execution read_execution(const Json& document, Issues& issues);

// The same limits and rules, of an execution that was put together here. Its texts become valid
// UTF-8, and its selectors have their fields.
void check_execution(Execution& execution, Issues& issues);

}  // namespace clawperator
