#pragma once
// Reading a whole screen.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct Snapshot {
  static const ActionRow kRow;
};

struct Screenshot {
  static const ActionRow kRow;
  std::optional<std::string> path{};
};

}  // namespace clawperator
