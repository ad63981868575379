#pragma once
// What a hierarchy shows of the fields that a plan types into. Pure.

#include "runtime/contract/execution.hpp"

namespace clawperator {

enum class SeenWhen { before, after };  // relative to the plan's typing

// Marks a text as secret that is typed into a password field which the action's matcher fits. A
// field may be named by a hint that disappears once it holds a text; then the field with the cursor
// `after` the last typing counts.
void mark_passwords(Execution& execution, std::string_view xml, SeenWhen when);

}  // namespace clawperator
