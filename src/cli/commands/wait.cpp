#include <cmath>

#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kWaitOptions = join(kSelectorOptions, kAfterwardsOptions);

}  // namespace

Result<act::WaitForNode> ask_wait(const Invocation& invocation) {
  const auto limit = invocation.globals.timeout_ms;
  if (limit && (!std::isfinite(*limit) || *limit <= 0)) {
    return validation_error(
        "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
        "the default wait cap.");
  }
  TRY(const auto node, require_selector(invocation.arguments, SelectorFamily::node, "wait"));
  return act::WaitForNode{node, limit};
}

constinit const Command kWait = {
    "wait",
    "wait-for wait_for wait-for-node wait_for_node find find-node find_node",
    "<selector> [--timeout <ms>]",
    "Wait until a node is there",
    "--timeout is the wait itself; the whole plan gets five seconds more.",
    "wait --text \"Wi-Fi\" --timeout 5000\n",
    Reach::device,
    kWaitOptions,
    run_verb<ask_wait>};

}  // namespace clawperator::cli
