#pragma once
// The names of actions.

#include "runtime/contract/execution.hpp"

namespace clawperator {

std::string_view action_name(ActionType type);
// A step of this type changes nothing on the phone.
bool only_looks(ActionType type);

// The canonical names that a caller may send.
std::vector<std::string> action_names();

// Canonical name or alias, any case, surrounding white space ignored.
std::optional<ActionType> find_action(std::string_view spelling);

}  // namespace clawperator
