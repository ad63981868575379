#include "runtime/act/carry_out.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/json_document.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/app_name.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/look.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/perform.hpp"
#include "runtime/act/result.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/password_fields.hpp"

namespace clawperator::act {
namespace {

// The screen that the request was made by, from the store alone: that of its ref, else the one that
// was shown last. Which client sent it does not matter: at worst more texts become secret.
std::optional<std::string> screen_of(const Request& request) {
  if (request.ref) return request.ref->substr(0, request.ref->find('@'));
  const auto shown = request.seen.store.last_shown(question_of(request.how.target).serial);
  return shown ? std::optional(shown->hash) : std::nullopt;
}

// Only the connection knows which screens its client has seen.
Task<void> mark_passwords_of_caller(Work* work, Execution* execution) {
  const Request& request = work->request;
  if (typed_by(*execution).empty()) co_return ok();
  std::optional<std::string> hash;
  if (!request.ref && request.seen.by == Seen::By::connection) {
    const auto shown = co_await shown_last(&request.seen, work->executor, request.how.target);
    if (shown && *shown) hash = (*shown)->hash;
  } else {
    hash = screen_of(request);
  }
  const auto xml = hash ? request.seen.store.find(*hash) : std::nullopt;
  if (!xml) co_return ok();
  co_return co_await run_blocking_if(xml->size() > kHoldsUpLoop, [&]() -> Result<void> {
    mark_passwords(*execution, *xml, SeenWhen::before);
    return ok();
  });
}

// The action or the payload as the request holds it now, as one execution.
Task<ExecuteResult> send(Work* work) {
  const Request& request = work->request;
  CO_TRY(Execution execution, plan_of(request));
  CO_TRY(work->outcome.opened,
         co_await resolve_app_names(work->executor, request.how.target, &execution));
  CO_TRY_VOID(co_await mark_passwords_of_caller(work, &execution));
  work->outcome.execution = execution;
  ExecuteRequest how = request.how;
  how.execution = std::move(execution);
  how.backend = chosen_backend(request);
  how.verify = request.verify;
  co_return co_await work->executor->execute(std::move(how));
}

// By one snapshot, whose refs go into the error. No match is not an error here.
Task<void> check_alone(Work* work, NodeMatcher wanted) {
  if (wanted == NodeMatcher{}) co_return ok();
  CO_TRY(const Look now, co_await look(work->executor, &work->request));
  auto alone = act::check_alone(now.screen, wanted);
  if (!alone) keep(work->request.seen, now.result, now.screen);
  co_return alone;
}

// Scrolls until the node is there, then clicks it: two plans with a snapshot between them.
Task<ExecuteResult> scroll_then_click(Work* work, ScrollTo scroll) {
  scroll.click_after.reset();
  Work first{work->executor, work->request};
  first.request.what = ScrollUntil{scroll};
  first.request.observe.reset();
  first.request.verify.reset();
  CO_TRY(ExecuteResult there, co_await send(&first));
  if (!succeeded(there.envelope)) co_return there;
  CO_TRY_VOID(co_await check_alone(work, wanted_by(*scroll.matcher)));
  work->request.what = Click{.matcher = scroll.matcher};
  co_return co_await send(work);
}

// An app before 0.10 takes the first of several matching nodes. A snapshot decides then, except for
// a node that is scrolled to or read in a container.
Task<ExecuteResult> send_strict(Work* work) {
  auto result = co_await send(work);
  if (result || !is_too_old_to_be_strict(result.error())) co_return result;
  Action& action = std::get<Action>(work->request.what);
  const auto* read = action.as<ReadText>();
  if (action.is<ScrollUntil>() || (read && read->container)) co_return result;
  action = not_strict(std::move(action));
  if (const auto* scroll = action.as<ScrollAndClick>()) {
    co_return co_await scroll_then_click(work, *scroll);
  }
  CO_TRY_VOID(co_await check_alone(work, wanted_node(action)));
  co_return co_await send(work);
}

// The index of a plan's only acting step, where it names its node by a matcher and leaves `strict`
// open. In a plan of several steps each one sets `strict` itself, because an app continues behind a
// strict step that failed.
std::optional<std::size_t> step_for_one_alone(const Execution& plan) {
  const auto acts = [](const Action& step) { return !only_looks(step.type()); };
  if (std::ranges::count_if(plan.actions, acts) != 1) return std::nullopt;
  const auto step = std::ranges::find_if(plan.actions, acts);
  const bool knows = step->is<Click>() || step->is<EnterText>() || step->is<ScrollAndClick>();
  if (!knows || !param_as<Selector>(*step, "matcher") || param_as<bool>(*step, "strict")) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(step - plan.actions.begin());
}

// An app that does not know `strict` takes the first of several nodes. For a step that scrolls, or
// that others precede, no snapshot before the plan shows the nodes that it will find.
Task<ExecuteResult> send_payload_for_one_alone(Work* work) {
  CO_TRY(const Execution plan, plan_of(work->request));
  const auto step = step_for_one_alone(plan);
  if (!step) co_return co_await send(work);
  const Payload given = std::get<Payload>(work->request.what);
  Json strict = Json::parse(given.json);
  strict["actions"][*step]["params"]["strict"] = true;
  work->request.what = Payload{write_json(strict)};
  auto result = co_await send(work);
  if (result || !is_too_old_to_be_strict(result.error())) co_return result;
  work->request.what = given;
  const Action& acting = plan.actions[*step];
  if (*step == 0 && !acting.is<ScrollAndClick>()) {
    CO_TRY_VOID(co_await check_alone(work, matched_by(acting)));
  }
  co_return co_await send(work);
}

void set_limit(Action& wait, std::chrono::milliseconds limit) {
  const auto ms = static_cast<double>(limit.count());
  if (auto* node = wait.as<WaitForNode>()) node->timeout_ms = ms;
  if (auto* app = wait.as<WaitForNavigation>()) app->timeout_ms = ms;
}

// With the device's shell the wait is in this process, which can stop it at any time.
Task<ExecuteResult> send_in_parts(Work* work, std::chrono::milliseconds limit) {
  using std::chrono::milliseconds;
  Request& request = work->request;
  const auto end = Clock::now() + limit;
  const bool by_shell = chosen_backend(request) == Backend::shell;
  for (milliseconds left = limit;;) {
    const milliseconds part = by_shell ? left : std::min(left, *request.part_of_wait);
    const auto end_of_part = Clock::now() + part;
    set_limit(std::get<Action>(request.what), part);
    CO_TRY(ExecuteResult result, co_await send(work));
    if (!is_awaited_in_vain(result.envelope)) co_return result;
    // If a part ends early, the next one waits until its time, so that the phone does not get one
    // part right after the other.
    co_await sleep_for(end_of_part - Clock::now());
    left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left <= milliseconds(0)) co_return result;
    request.stamp = Stamp::now();
  }
}

}  // namespace

Backend chosen_backend(const Request& request) {
  const auto* action = std::get_if<Action>(&request.what);
  if (!action) return request.backend.value_or(Backend::operator_app);
  return backend_of(*action, request.backend, request.observe || request.tree_first);
}

std::optional<ThenLook> look_of(const Request& request) {
  const auto* action = std::get_if<Action>(&request.what);
  if (action && action->is<Snapshot>()) return std::nullopt;
  bool before = request.verify && !request.verify->settles();
  if (action) {
    // Pictures prove the effect where the device's shell acts without a snapshot. A plan stops its
    // apps before any of its snapshots.
    const bool by_itself = !request.backend && chosen_backend(request) == Backend::shell;
    before = before && !by_itself && !action->is<CloseApp>();
  } else {
    // The plan's own snapshots prove the effect, or pictures do.
    before = before && request.observe;
  }
  if (!request.observe && !before) return std::nullopt;
  return ThenLook{request.observe ? request.observe->settle : request.verify->still, before};
}

Result<Execution> plan_of(const Request& request) {
  const auto then = look_of(request);
  const auto* action = std::get_if<Action>(&request.what);
  const auto& package = request.how.operator_package;
  TRY(Execution plan, action ? execution_of(*action, request.stamp, request.timeout_ms, package,
                                            then, request.tree_first)
                             : judge_payload(std::get<Payload>(request.what).json,
                                             request.timeout_ms, package, then));
  if (!request.patience) return plan;
  for (Action& step : plan.actions) search_for(step, *request.patience);
  TRY_VOID(check_size(plan));
  return plan;
}

void mark_seen_passwords(const Request& request, Execution& execution) {
  if (typed_by(execution).empty()) return;
  const auto hash = screen_of(request);
  const auto xml = hash ? request.seen.store.find(*hash) : std::nullopt;
  if (xml) mark_passwords(execution, *xml, SeenWhen::before);
}

Task<ExecuteResult> carry_out(Work* work) {
  const Request& request = work->request;
  const auto* action = std::get_if<Action>(&request.what);
  if (!action && request.one_alone) return send_payload_for_one_alone(work);
  if (!action) return send(work);
  const auto* limit = request.part_of_wait ? param_as<double>(*action, "timeoutMs") : nullptr;
  if (limit) return send_in_parts(work, std::chrono::milliseconds(std::llround(*limit)));
  return is_strict(*action) ? send_strict(work) : send(work);
}

}  // namespace clawperator::act
