#include "runtime/act/look.hpp"

#include <algorithm>

#include "base/async/blocking.hpp"
#include "base/system/errc.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {
namespace {

// The request's own limit may be that of a short or a long wait, so this one replaces it.
// `uiautomator dump` waits for a still screen, for 10 s at most.
constexpr double kLookByShellMs = 15000;

// A changing screen is read about three times a second: one dump takes as long.
constexpr std::chrono::milliseconds kBetweenLooks{300};

std::optional<double> limit_of_look(const Request& request) {
  if (!request.timeout_ms) return std::nullopt;
  const bool by_shell = request.backend == Backend::shell;
  return std::clamp(*request.timeout_ms, by_shell ? kLookByShellMs : kMinTimeoutMs, kMaxTimeoutMs);
}

// Errors that a later try may not have: between two windows there is no tree, and another command
// may hold the device.
bool may_pass(const Error& error) {
  return error.code() == errc::snapshot_extraction_failed ||
         error.code() == errc::execution_conflict_in_flight;
}

}  // namespace

Task<Look> look(Executor* executor, Request* request) {
  ExecuteRequest how = request->how;
  how.on_event = {};
  how.on_stage = {};
  how.before_effects = {};
  how.screenshot = {};
  how.verify.reset();
  how.shown.reset();
  how.ask_screen_size = false;
  how.backend = request->backend.value_or(Backend::operator_app);
  CO_TRY(how.execution,
         execution_of(Snapshot{}, Stamp::now(), limit_of_look(*request), how.operator_package));
  CO_TRY(ExecuteResult result, co_await executor->execute(std::move(how)));
  stay_on(&request->how.target, result.device_id);
  CO_TRY(UiTree screen, co_await run_blocking_if(is_large(result.envelope), [&] {
           return observe(result.envelope, SnapshotStore({}));
         }));
  co_return Look{std::move(screen), std::move(result)};
}

Task<Look> look_until(Executor* executor, Request* request, std::chrono::milliseconds limit,
                      std::string wanted, std::function<bool(const UiTree&)> holds) {
  const auto end = Clock::now() + limit;
  for (;;) {
    auto seen = co_await look(executor, request);
    if (!seen && !may_pass(seen.error())) co_return std::unexpected(seen.error());
    if (seen && holds(seen->screen)) co_return *std::move(seen);
    if (Clock::now() + kBetweenLooks > end) {
      const std::string why = seen ? "" : ": " + seen.error().message();
      co_return fail(errc::deadline_exceeded,
                     "not " + wanted + " after " + std::to_string(limit.count()) + " ms" + why);
    }
    co_await sleep_for(kBetweenLooks);
  }
}

Task<NodeMatcher> whole_matcher(Executor* executor, Request* request, NodeMatcher matcher,
                                const UiTree* now) {
  const bool is_short =
      matcher.resource_id && !matcher.resource_id->empty() && !matcher.resource_id->contains('/');
  if (!is_short || request->short_ids == ShortIds::as_given) co_return matcher;
  const auto shown = co_await shown_last(&request->seen, executor, request->how.target);
  std::optional<std::string> whole;
  if (shown && *shown) {
    CO_TRY(const auto tree, co_await held_tree(&request->seen, (*shown)->hash));
    if (tree) whole = whole_id(*tree, *matcher.resource_id);
  }
  if (!whole && request->short_ids == ShortIds::found) {
    std::optional<Look> read;
    if (!now) {
      CO_TRY(read, co_await look(executor, request));
      keep(request->seen, read->result, read->screen);
      now = &read->screen;
    }
    whole = whole_id(*now, *matcher.resource_id);
    // While the node is not there, its id is resolved with the package of the app in front.
    if (!whole) whole = main_package(*now) + ":id/" + *matcher.resource_id;
  }
  if (whole) matcher.resource_id = *std::move(whole);
  co_return matcher;
}

}  // namespace clawperator::act
