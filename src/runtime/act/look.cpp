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

std::optional<double> limit_of_look(const Request& request) {
  if (!request.timeout_ms) return std::nullopt;
  const bool by_shell = request.backend == Backend::shell;
  return std::clamp(*request.timeout_ms, by_shell ? kLookByShellMs : kMinTimeoutMs, kMaxTimeoutMs);
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
    whole = id_on(*now, *matcher.resource_id);
  }
  if (whole) matcher.resource_id = *std::move(whole);
  co_return matcher;
}

}  // namespace clawperator::act
