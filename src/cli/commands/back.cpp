#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"

namespace clawperator::cli {

Result<Draft> draft_back(const Invocation& invocation) { return press_draft(invocation, "back"); }

constinit const Command kBack = {
    "back", "", "", "Press the back key", "", "back\n", Reach::device, {}, run_drafted<draft_back>};

}  // namespace clawperator::cli
