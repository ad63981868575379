// Waits, and `assert`: one read of the screen that checks for a node. It is for scripts and for
// agents that verify their actions.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/number.hpp"
#include "cli/run_task.hpp"
#include "cli/screen_options.hpp"
#include "cli/selector.hpp"
#include "cli/settings.hpp"
#include "cli/verbs.hpp"
#include "runtime/act/condition.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/result.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDefaultWait(10000);
constexpr double kLongestWaitMs = 3600000;

constexpr auto kWaitOptions = join(
    kSelectorOptions,
    std::array{
        Option{"--gone", "", Arity::none, "", "wait until no node on the screen matches"},
        Option{"--still", "", Arity::none, "", "wait until the screen is unchanged for 300 ms"},
        Option{"--any-of", "", Arity::one, "<json>",
               "an array of conditions, one of which suffices"},
        Option{"--all-of", "", Arity::one, "<json>", "an array of conditions that hold together"},
    },
    kScreenOptions);

Result<void> check_wait_limit(const Invocation& invocation) {
  const auto limit = invocation.globals.timeout_ms;
  if (!limit || (std::isfinite(*limit) && *limit > 0)) return {};
  return validation_error(
      "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
      "the default wait cap.");
}

milliseconds limit_of(const Invocation& invocation) {
  const auto given = invocation.globals.timeout_ms;
  return given ? milliseconds(static_cast<long>(std::min(*given, kLongestWaitMs))) : kDefaultWait;
}

// A command's own read of the screen.
Result<act::Request> request_to_look(const Invocation& invocation) {
  TRY(act::Request request, request_for(invocation, Snapshot{}));
  // Ids of --selector are exact.
  if (invocation.arguments.has("--selector")) request.short_ids = act::ShortIds::as_given;
  return request;
}

// --timings are those of the last read.
void add_timings(const Invocation& invocation, const act::Look& seen, JsonObject& json) {
  if (invocation.globals.timings) act::add_timings(json, seen.result);
}

Result<Answer> wait_until(const Invocation& invocation, const act::Conditions& conditions) {
  TRY(act::Request request, request_to_look(invocation));
  TRY(const act::Met met, run_with_executor<act::Met>(invocation.globals, [&](Executor* executor) {
        return act::wait_until(executor, &request, conditions, limit_of(invocation));
      }));
  act::keep(request.seen, met.seen.result, met.seen.screen);
  JsonObject json;
  json.boolean("ok", true).append(met.verdict);
  json.text("foreground", main_package(met.seen.screen)).text("hash", met.seen.screen.hash);
  add_timings(invocation, met.seen, json);
  return Answer{.json = json.str()};
}

// A node with properties that a tree can be searched for.
Result<NodeMatcher> named_node(const WaitForNode& wait, std::string_view who) {
  NodeMatcher wanted = act::wanted_node(wait);
  if (wanted != NodeMatcher{}) return wanted;
  return fail(errc::usage, std::string(who) + " requires a selector with text, id, desc or role");
}

// Of the one flag among --gone, --still, --any-of and --all-of that is there.
Result<act::Conditions> conditions_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const auto selector, read_selector(arguments, SelectorFamily::node));
  if (arguments.has("--gone")) {
    TRY(const WaitForNode wait, wait_from(invocation));
    TRY(NodeMatcher wanted, named_node(wait, "--gone"));
    return act::until_gone(std::move(wanted));
  }
  const bool still = arguments.has("--still");
  const bool all = arguments.has("--all-of");
  const std::string flag = still ? "--still" : all ? "--all-of" : "--any-of";
  if (selector) return fail(errc::usage, flag + " takes no selector beside it");
  if (still) return act::until_still();
  const std::string& text = *arguments.value(flag);
  const auto given = read_callers_json(text, text.size());
  if (!given) return fail(errc::usage, flag + " must be JSON: an array of conditions");
  return act::read_conditions(*given, flag, all);
}

Result<Answer> run_wait(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  constexpr std::string_view kLooking[] = {"--gone", "--still", "--any-of", "--all-of"};
  const auto given =
      std::ranges::count_if(kLooking, [&](std::string_view flag) { return arguments.has(flag); });
  if (given == 0) return run_verb<wait_from>(invocation);
  if (given > 1) return fail(errc::usage, "use one of --gone, --still, --any-of and --all-of");
  if (arguments.has("--snapshot") || arguments.has("--settle")) {
    return fail(errc::usage,
                "--snapshot cannot be used with --gone, --still, --any-of or --all-of");
  }
  TRY_VOID(check_wait_limit(invocation));
  TRY(const auto conditions, conditions_of(invocation));
  return wait_until(invocation, conditions);
}

constexpr std::string_view kWaitForNavUsage =
    "--app <package> and/or <selector> --timeout <ms> [--validate-only | --dry-run]";

constexpr auto kWaitForNavOptions = join(
    std::array{Option{"--app", "--package --package-id --application-id --app-id", Arity::one,
                      "<package>", "the package to wait for in front", "", OnMissing::command}},
    kSelectorOptions, kScreenOptions,
    std::array{
        Option{"--validate-only", "", Arity::none, "", "print the execution and do nothing"},
        Option{"--dry-run", "", Arity::none, "", "print the plan and do nothing"},
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

Result<double> read_duration(const Arguments& arguments) {
  if (arguments.positionals().empty()) {
    return missing_argument("sleep requires a duration in milliseconds.", "sleep <ms>");
  }
  const std::string& text = arguments.positionals().front();
  const double duration = parse_number(text);
  if (!std::isfinite(duration) || duration < 0) {
    return validation_error("Duration must be a non-negative number (got: " + text + ")");
  }
  if (duration > kMaxTimeoutMs) {
    return validation_error("Duration must be <= 120000ms (got: " + number_json(duration) + "ms)");
  }
  return duration;
}

constexpr std::size_t kShownNodes = 5;

constexpr auto kAssertOptions =
    join(kSelectorOptions, std::array{
                               Option{"--gone", "", Arity::none, "", "check that no node matches"},
                           });

// Lines of a compact tree for the first few nodes; a node without a ref has no line.
std::vector<std::string> lines_of(const UiTree& screen, const std::vector<std::size_t>& nodes) {
  std::vector<std::string> lines;
  for (const std::size_t i : nodes) {
    if (lines.size() == kShownNodes) break;
    if (screen.nodes[i].ref != 0) lines.push_back(screen.hash + describe(screen.nodes[i]));
  }
  return lines;
}

Task<act::Look> complete_and_look(Executor* executor, act::Request* request, NodeMatcher* wanted) {
  CO_TRY(*wanted, co_await act::whole_matcher(executor, request, *wanted));
  co_return co_await act::look(executor, request);
}

Result<Answer> run_assert(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const auto selector, require_selector(arguments, SelectorFamily::node, "assert"));
  TRY(NodeMatcher wanted, named_node({.matcher = selector}, "assert"));
  TRY(act::Request request, request_to_look(invocation));
  TRY(const act::Look seen,
      run_with_executor<act::Look>(invocation.globals, [&](Executor* executor) {
        return complete_and_look(executor, &request, &wanted);
      }));
  act::keep(request.seen, seen.result, seen.screen);
  const UiTree& screen = seen.screen;
  const auto found = matching_nodes(screen, wanted);
  const bool holds = found.empty() == arguments.has("--gone");
  JsonObject json;
  json.boolean("ok", holds).number("matches", static_cast<std::int64_t>(found.size()));
  if (!found.empty()) json.strings("nodes", lines_of(screen, found));
  if (!holds && found.empty()) json.object("miss", act::describe_miss(screen, wanted));
  add_timings(invocation, seen, json);
  return Answer{.json = json.str(), .exit_code = holds ? 0 : 1};
}

}  // namespace

Result<WaitForNode> wait_from(const Invocation& invocation) {
  TRY_VOID(check_wait_limit(invocation));
  TRY(const auto node, require_selector(invocation.arguments, SelectorFamily::node, "wait"));
  return WaitForNode{.matcher = node, .timeout_ms = invocation.globals.timeout_ms};
}

constinit const Command kWait = {
    .name = "wait",
    .synonyms = "wait-for wait_for wait-for-node wait_for_node find find-node find_node",
    .usage = "<selector> [--gone] | --still | --any-of <json> | --all-of <json> [--timeout <ms>]",
    .summary = "Wait until a node is on the screen or gone, or the screen is still",
    .details =
        "--timeout is the time of the wait itself; the whole plan gets five seconds more. --gone,\n"
        "--still, --any-of and --all-of read the screen repeatedly, for 10 seconds unless "
        "--timeout is\n"
        "given; --timings are those of the last read. A condition of --any-of and --all-of is one "
        "of\n"
        "{\"selector\": {...}, \"gone\": true, \"contains\": \"text\"} (gone and contains are "
        "optional),\n"
        "{\"package\": \"...\"}, {\"keyboard\": \"shown\"}, {\"keyboard\": \"hidden\"}, "
        "{\"still\": true}.",
    .examples =
        "wait --text \"Wi-Fi\" --timeout 5000\nwait --text \"Loading...\" --gone\n"
        "wait --any-of "
        "'[{\"selector\":{\"text\":\"Wi-Fi\"}},{\"package\":\"com.android.settings\"}]'\n",
    .options = kWaitOptions,
    .run = run_wait};

Result<WaitForNavigation> wait_for_nav_from(const Invocation& invocation) {
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
  return WaitForNavigation{app ? std::optional(*app) : std::nullopt, node, limit};
}

constinit const Command kWaitForNav = {
    .name = "wait-for-nav",
    .synonyms = "wait-for-navigation wait_for_navigation",
    .usage = kWaitForNavUsage,
    .summary = "Wait until an app or a node is in front",
    .details = "--timeout is required; its maximum is 30000.",
    .examples =
        "wait-for-nav --app com.android.settings --timeout 5000\n"
        "wait-for-nav --text \"Network & internet\" --timeout 5000\n",
    .options = kWaitForNavOptions,
    .run = run_verb<wait_for_nav_from>};

Result<Sleep> sleep_from(const Invocation& invocation) {
  TRY(const double duration, read_duration(invocation.arguments));
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  return Sleep{duration};
}

constinit const Command kSleep = {.name = "sleep",
                                  .usage = "<ms>",
                                  .summary = "Wait on the device, at most 120000 ms",
                                  .examples = "sleep 1500\n",
                                  .run = run_verb<sleep_from>,
                                  .most_words = 1};

constinit const Command kAssert = {
    .name = "assert",
    .usage = "<selector> [--gone]",
    .summary = "Check whether a node is on the screen",
    .details =
        "Reads the screen once, without waiting (`wait` waits). Exit 1 if the node is absent;\n"
        "with --gone, if it is present. The answer has `matches`, up to five `nodes` with their\n"
        "refs, and for an absent node its nearest candidates.",
    .examples = "assert --text \"Wi-Fi\"\nassert --text \"Error\" --gone\n",
    .options = kAssertOptions,
    .run = run_assert};

}  // namespace clawperator::cli
