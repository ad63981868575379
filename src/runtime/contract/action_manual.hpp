#pragma once
// What each action is and takes, for people and models: `help exec`, `help --json`,
// docs/actions.md. What the device does with what is left out is that of the Operator app 0.5.3.

#include "base/prelude.hpp"
#include "runtime/contract/action_table.hpp"

namespace clawperator {

// A row of param_table as one action uses it.
struct ParamUse {
  std::string_view name;
  bool is_required = false;
  std::string_view meaning;
};

struct ActionPage {
  ActionType type{};
  std::string_view summary;
  std::span<const ParamUse> params;
};

// Every action that an execution may have, in the order of ActionType.
std::span<const ActionPage> action_manual();

// "text", "number", "boolean", "matcher", "coordinate", "object": of a parameter that there is.
std::string_view param_kind_name(std::string_view param);

}  // namespace clawperator
