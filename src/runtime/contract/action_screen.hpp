#pragma once
// What is read of a whole screen.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct Snapshot {};

struct Screenshot {
  std::optional<std::string> path{};
};

}  // namespace clawperator
