#include "runtime/contract/action_wait.hpp"

#include "runtime/contract/action_row.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {
namespace {

using namespace rows;

// Published by the Node CLI: "must not exceed 30000ms".
constexpr double kMaxNavigationWaitMs = 30000;

constexpr std::array kWaitForNodeParams{
    kMatcher<WaitForNode>,
    use<WaitForNode, &WaitForNode::timeout_ms>("timeoutMs", "how long to wait"),
    kRetry<WaitForNode>, kStrict<WaitForNode>,
    use<WaitForNode, &WaitForNode::container>("container")};
constexpr std::array kWaitForNavigationParams{
    use<WaitForNavigation, &WaitForNavigation::timeout_ms>(
        "timeoutMs", "how long to wait; at most 30000", Need::ruled),
    use<WaitForNavigation, &WaitForNavigation::expected_package>(
        "expectedPackage", "the app to wait for; this, expectedNode or both"),
    use<WaitForNavigation, &WaitForNavigation::expected_node>("expectedNode",
                                                              "the node to wait for")};
constexpr std::array kSleepParams{
    use<Sleep, &Sleep::duration_ms>("durationMs", "0 to 120000", Need::ruled)};

void check_wait_for_navigation(const WaitForNavigation& wait, const Rules& rules) {
  if (is_blank_or_absent(wait.expected_package) && !wait.expected_node)
    rules.refuse(" requires at least one of params.expectedPackage or params.expectedNode");
  if (!wait.timeout_ms || *wait.timeout_ms <= 0)
    rules.refuse("timeoutMs", " requires params.timeoutMs > 0");
  else if (*wait.timeout_ms > kMaxNavigationWaitMs)
    rules.refuse("timeoutMs", " params.timeoutMs must not exceed 30000");
}

void check_sleep(const Sleep& sleep, const Rules& rules) {
  if (!sleep.duration_ms || *sleep.duration_ms < 0)
    rules.refuse("durationMs", " requires params.durationMs >= 0");
  else if (*sleep.duration_ms > kMaxTimeoutMs)
    rules.refuse("durationMs", ".durationMs must not exceed 120000 ms");
}

}  // namespace

constinit const ActionRow WaitForNode::kRow{
    .name = "wait_for_node",
    .aliases = "wait_for find find_node",
    .summary = "Wait until a node is there.",
    .params = kWaitForNodeParams,
    .own = {.manner = Manner::direct, .name = "wait", .step = "wait", .source = kActs},
    .only_looks = true,
    .lasts = "timeoutMs"};

constinit const ActionRow WaitForNavigation::kRow{
    .name = "wait_for_navigation",
    .summary = "Wait until an app is in front, or a node is there.",
    .params = kWaitForNavigationParams,
    .check = check<WaitForNavigation, check_wait_for_navigation>,
    .own = {.manner = Manner::direct,
            .name = "wait-for-nav",
            .step = "wait-for-nav",
            .source = kActs},
    .only_looks = true,
    .lasts = "timeoutMs"};

constinit const ActionRow Sleep::kRow{.name = "sleep",
                                      .summary = "Wait for a time.",
                                      .params = kSleepParams,
                                      .check = check<Sleep, check_sleep>,
                                      .own = {Manner::plain, "sleep", "sleep"},
                                      .only_looks = true,
                                      .lasts = "durationMs"};

}  // namespace clawperator
