#pragma once
// One look at the screen for a command that needs to know it before it acts.

#include "cli/grammar/command.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::cli {

// Takes a snapshot in an execution of its own, with the invocation's device and operator. It is
// kept in the store: what is shown of it can be referred to.
Result<UiTree> look_at_screen(const Invocation& invocation);

}  // namespace clawperator::cli
