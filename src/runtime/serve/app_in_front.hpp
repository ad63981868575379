#pragma once
// Which app should be in front of a device: what else is there is told of a node that is missing.

#include <span>
#include <string>

#include "runtime/contract/execution.hpp"

namespace clawperator::serve {

// After these actions, where `package` was in front before; empty: nobody knows. What an app does
// with a click is not expected to bring another one.
std::string app_after(std::string package, std::span<const Action> done);

}  // namespace clawperator::serve
