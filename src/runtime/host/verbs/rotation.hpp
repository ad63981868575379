#pragma once
// Which way up the screen is, for every app that does not insist on its own way.

#include <optional>

#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

struct Rotation {
  Effect effect = Effect::unknown;
  int quarter_turns = 0;  // of the display, as it is now
};

// nullopt: as the phone is held. What the display itself says afterwards decides:
// effect_not_confirmed where an app in front keeps its own way.
Task<Rotation> rotate(adbproto::Device* device, std::optional<int> quarter_turns);

}  // namespace clawperator
