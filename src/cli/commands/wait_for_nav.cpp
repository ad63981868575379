#include <cmath>

#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kWaitForNavUsage =
    "--app <package> and/or <selector> --timeout <ms> [--validate-only | --dry-run]";

constexpr auto kWaitForNavOptions = join(
    std::array{Option{"--app", "--package --package-id --application-id --app-id", Arity::one,
                      "<package>", "the package that comes to the front", "", OnMissing::command}},
    kSelectorOptions, kAfterwardsOptions,
    std::array{
        Option{"--validate-only", "", Arity::none, "", "print the execution, do nothing"},
        Option{"--dry-run", "", Arity::none, "", "print the plan, do nothing"},
    });

Result<double> read_limit(const Globals& globals) {
  if (!globals.timeout_ms) {
    return missing_argument("wait-for-nav requires --timeout <ms>.",
                            "wait-for-nav " + std::string(kWaitForNavUsage));
  }
  const double limit = *globals.timeout_ms;
  if (!std::isfinite(limit) || limit <= 0) {
    return validation_error("wait-for-nav --timeout must be a positive number of milliseconds");
  }
  if (limit > 30000) return validation_error("wait-for-nav --timeout must not exceed 30000ms");
  return limit;
}

}  // namespace

Result<act::WaitForNavigation> ask_wait_for_nav(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(check_given_once(arguments, "--app"));
  const std::string* app = arguments.value("--app");
  if (arguments.has("--app") && (!app || is_blank(*app))) {
    return validation_error(
        "wait-for-nav --app requires a non-empty package id.\nExample: --app com.android.settings");
  }
  TRY(const double limit, read_limit(invocation.globals));
  TRY(const auto node, read_selector(arguments, SelectorFamily::node));
  if (!app && !node) {
    return missing_argument("wait-for-nav requires --app or a selector.",
                            "wait-for-nav " + std::string(kWaitForNavUsage));
  }
  return act::WaitForNavigation{app ? std::optional(*app) : std::nullopt, node, limit};
}

constinit const Command kWaitForNav = {
    "wait-for-nav",
    "wait-for-navigation wait_for_navigation",
    kWaitForNavUsage,
    "Wait until an app or a node has come to the front",
    "--timeout is required and at most 30000.",
    "wait-for-nav --app com.android.settings --timeout 5000\n"
    "wait-for-nav --text \"Network & internet\" --timeout 5000\n",
    Reach::device,
    kWaitForNavOptions,
    run_verb<ask_wait_for_nav>};

}  // namespace clawperator::cli
