#pragma once
// What a hierarchy says of the fields that a plan types into. Pure.

#include "runtime/contract/execution.hpp"

namespace clawperator {

enum class SeenWhen { before, after };  // the plan typed

// What is typed into a field for passwords becomes secret: one that the action's matcher fits. A
// field may be named by a hint that is gone once it holds a text; then the one with the cursor
// `after` the last typing counts.
void mark_passwords(Execution& execution, std::string_view xml, SeenWhen when);

}  // namespace clawperator
