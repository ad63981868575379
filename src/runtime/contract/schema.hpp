#pragma once
// The shape of an execution: which members exist, their types, lengths and ranges; then the rules
// of its actions. Issues come in schema order: the fields of an object, then its unknown keys, then
// conflicts between fields. The rules come last, and only where every type is right.

#include "base/json_document.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/issues.hpp"

namespace clawperator {

// `document` has its aliases resolved. The result is valid only without an issue.
Execution read_execution(const Json& document, Issues& issues);

// The same limits and rules for an execution that was built in this program. Its texts become valid
// UTF-8, and its selectors have their fields.
void check_execution(Execution& execution, Issues& issues);

}  // namespace clawperator
