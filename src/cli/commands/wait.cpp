#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/run_task.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks(300);
constexpr milliseconds kDefaultWait(10000);
constexpr double kLongestWaitMs = 3600000;

constexpr auto kWaitOptions =
    join(kSelectorOptions,
         std::array{
             Option{"--gone", "", Arity::none, "", "until no node on the screen is like that"},
             Option{"--still", "", Arity::none, "", "until the screen stays as it is for 300 ms"},
         },
         kAfterwardsOptions);

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

// Between two windows there is no tree, and another command may have the device: later there is.
bool may_pass(const Error& error) {
  return error.code() == errc::snapshot_extraction_failed ||
         error.code() == errc::execution_conflict_in_flight;
}

Task<void> pause_between_looks() {
  co_await adbproto::sleep_for(kBetweenLooks);
  co_return ok();
}

// The screen is looked at again and again, for the app cannot wait for that.
template <class Holds>
Result<Answer> look_until(const Invocation& invocation, std::string_view told, Holds holds) {
  const milliseconds limit = limit_of(invocation);
  const auto end = adbproto::Clock::now() + limit;
  for (;;) {
    const auto seen = take_look(invocation);
    if (!seen && !may_pass(seen.error())) return std::unexpected(seen.error());
    if (seen && holds(seen->screen)) {
      const UiTree& screen = seen->screen;
      JsonObject json;
      json.boolean("ok", true).boolean(told, true);
      json.text("foreground", main_package(screen)).text("hash", screen.hash);
      seen->tell_how(invocation.globals, json);
      return Answer{json.str(), {}, {}, 0};
    }
    if (adbproto::Clock::now() + kBetweenLooks > end) {
      const std::string why = seen ? "" : ": " + seen.error().message();
      return fail(errc::deadline_exceeded, "not " + std::string(told) + " after " +
                                               std::to_string(limit.count()) + " ms" + why);
    }
    TRY_VOID(run_task(pause_between_looks()));
  }
}

Result<Answer> wait_until_gone(const Invocation& invocation) {
  TRY(const act::WaitForNode wait, ask_wait(invocation));
  const NodeMatcher wanted = act::wanted_node(wait);
  if (wanted == NodeMatcher{}) {
    return fail(errc::usage, "--gone needs a node that is named by its text, id, desc or role");
  }
  return look_until(invocation, "gone",
                    [&](const UiTree& screen) { return !find_node(screen, wanted); });
}

Result<Answer> wait_until_still(const Invocation& invocation) {
  std::optional<std::string> before;
  return look_until(invocation, "still", [&](const UiTree& screen) {
    const bool same = before == screen.hash;
    before = screen.hash;
    return same;
  });
}

Result<Answer> run_wait(const Invocation& given) {
  const Invocation invocation = with_whole_names(given);
  const Arguments& arguments = invocation.arguments;
  const bool gone = arguments.has("--gone");
  const bool still = arguments.has("--still");
  if (!gone && !still) return run_verb<ask_wait>(given);
  if (gone && still) return fail(errc::usage, "--gone and --still are two different waits");
  if (arguments.has("--snapshot") || arguments.has("--settle")) {
    return fail(errc::usage, "--snapshot does not go with --gone or --still");
  }
  TRY_VOID(check_wait_limit(invocation));
  TRY(const auto selector, read_selector(arguments, SelectorFamily::node));
  if (still && selector) return fail(errc::usage, "--still is about the whole screen, not a node");
  return still ? wait_until_still(invocation) : wait_until_gone(invocation);
}

}  // namespace

Result<act::WaitForNode> ask_wait(const Invocation& invocation) {
  TRY_VOID(check_wait_limit(invocation));
  TRY(const auto node, require_selector(invocation.arguments, SelectorFamily::node, "wait"));
  return act::WaitForNode{node, invocation.globals.timeout_ms};
}

constinit const Command kWait = {
    "wait",
    "wait-for wait_for wait-for-node wait_for_node find find-node find_node",
    "<selector> [--gone] [--timeout <ms>] | --still [--timeout <ms>]",
    "Wait until a node is there, or gone, or the screen is still",
    "--timeout is the wait itself; the whole plan gets five seconds more. --gone and --still look "
    "at\n"
    "the screen again and again, for 10 seconds unless --timeout says otherwise; --timings and "
    "--route\n"
    "are those of the last look.",
    "wait --text \"Wi-Fi\" --timeout 5000\n"
    "wait --text \"Loading...\" --gone\n",
    Reach::device,
    kWaitOptions,
    run_wait};

}  // namespace clawperator::cli
