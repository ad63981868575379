#pragma once
// What the parameters of one action type must say beyond their shape.

#include "base/json_document.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/issues.hpp"

namespace clawperator {

inline constexpr std::string_view kNotTheOperator =
    " must not name the Operator itself: stopping it takes its accessibility permission away; "
    "`clawperator doctor --fix` starts it anew";

// `action` has passed check_schema as usable; `at` is its place, actions.<i>.
void check_rules(ActionType type, const Json& action, const IssuePath& at, Issues& issues);

}  // namespace clawperator
