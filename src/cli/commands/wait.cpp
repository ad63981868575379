#include <algorithm>
#include <cmath>

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/selector.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {

Result<Draft> draft_wait(const Invocation& invocation) {
  const auto limit = invocation.globals.timeout_ms;
  if (limit && (!std::isfinite(*limit) || *limit <= 0)) {
    return validation_error(
        "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
        "the default wait cap.");
  }
  TRY(const auto matcher, require_matcher(invocation.arguments, SelectorFamily::node, "wait"));
  JsonObject params;
  params.json("matcher", matcher);
  if (limit) params.real("timeoutMs", *limit);
  const std::string id = invocation.stamp.long_id("wait");
  // The plan outlives the wait, so that the device can still report that it was in vain.
  constexpr double kLongest = 120000;
  const double wanted = limit.value_or(0);
  const double plan_limit = std::max({wanted, std::min(wanted + 5000, kLongest), 30000.0});
  return Draft{single_action({id, id, "clawperator-action", plan_limit, true}, "wait",
                             "wait_for_node", params.str()),
               std::nullopt};
}

constinit const Command kWait = {
    "wait",
    "wait-for wait_for wait-for-node wait_for_node find find-node find_node",
    "<selector> [--timeout <ms>]",
    "Wait until a node is there",
    "--timeout is the wait itself; the whole plan gets five seconds more.",
    "wait --text \"Wi-Fi\" --timeout 5000\n",
    Reach::device,
    kSelectorOptions,
    run_drafted<draft_wait>};

}  // namespace clawperator::cli
