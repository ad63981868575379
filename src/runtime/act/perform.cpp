#include "runtime/act/perform.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/carry_out.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/look.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/aliases.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/ref_guard.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {
namespace {

// Adds the hash to a bare ref, which is one of the screen that was shown last. Without a named
// device the request goes to the device that showed that screen.
Task<void> complete_ref(Work* work) {
  Request& request = work->request;
  CO_TRY(ObservationRef ref, parse_ref(*request.ref));
  if (!ref.hash.empty()) co_return ok();
  if (request.seen.by == Seen::By::anyone) {
    co_return fail(errc::usage, "here a ref needs the hash of its snapshot: HASH" + *request.ref);
  }
  CO_TRY(const auto shown, co_await shown_last(&request.seen, work->executor, request.how.target));
  if (!shown) {
    co_return std::unexpected(stale(*request.ref, "needs a snapshot that was shown before"));
  }
  ref.hash = shown->hash;
  request.ref = to_string(ref);
  TargetOptions& target = request.how.target;
  if (!shown->serial.empty() && !question_of(target).serial) target.device = shown->serial;
  co_return ok();
}

Task<void> complete_ids(Work* work, const UiTree* now = nullptr) {
  auto* action = std::get_if<Action>(&work->request.what);
  if (!action) co_return ok();
  for (const ParamUse& use : row_of(action->type()).params) {
    const auto* selector = param_as<Selector>(*action, use.name());
    if (!selector || selector->as_given) continue;
    Selector whole = *selector;
    CO_TRY(whole.fields, co_await whole_matcher(work->executor, &work->request, whole.fields, now));
    use.set(*action, std::move(whole));
  }
  co_return ok();
}

// Binds the request to that one node.
Result<void> aim_at(Request& request, const Target& target, const Error& otherwise) {
  request.how.shown = target.shown;
  if (auto* action = std::get_if<Action>(&request.what)) {
    TRY(*action, aimed_at(std::move(*action), target, otherwise));
    return ok();
  }
  Json document = Json::parse(std::get<Payload>(request.what).json, nullptr, false);
  if (document.is_object()) document = resolve_aliases(std::move(document));
  Json* steps = document.is_object() ? &document["actions"] : nullptr;
  const bool has_step = steps && steps->is_array() && !steps->empty() && (*steps)[0].is_object();
  if (!has_step) return ok();  // the contract reports what is wrong with it
  const Json* params = find_member((*steps)[0], "params");
  const bool is_named =
      params && (find_member(*params, "matcher") || find_member(*params, "coordinate"));
  if (request.ref && is_named) {
    return fail(errc::usage, "give the first step a ref or a node of its own, not both");
  }
  TRY_VOID(aim_step((*steps)[0], target, otherwise));
  request.what = Payload{write_json(document)};
  return ok();
}

Task<void> aim_at_ref(Work* work) {
  CO_TRY_VOID(co_await complete_ref(work));
  Request& request = work->request;
  const auto* action = std::get_if<Action>(&request.what);
  const RefUse use = action ? ref_use_of(*action) : RefUse::press;
  CO_TRY(const Target target, find_ref(request.seen.store, *request.ref, use));
  co_return aim_at(request, target,
                   stale(*request.ref, "names a node that no selector distinguishes from others"));
}

// Resolves `nth` on the screen as it is now. A plan that is invalid fails before the screen is
// read.
Task<void> aim_at_nth(Work* work) {
  Request& request = work->request;
  const auto* payload = std::get_if<Payload>(&request.what);
  CO_TRY(const Execution plan,
         payload ? judge_payload(payload->json, request.timeout_ms, request.how.operator_package)
                 : plan_of(request));
  const auto* action = std::get_if<Action>(&request.what);
  NodeMatcher wanted = matched_by(plan.actions.front());
  if (!action && wanted == NodeMatcher{}) {
    co_return fail(errc::usage,
                   "nth is for a plan that begins with a click or an enter_text by a "
                   "matcher");
  }
  CO_TRY(const Look now, co_await look(work->executor, &request));
  CO_TRY_VOID(co_await complete_ids(work, &now.screen));
  if (action) {
    wanted = wanted_node(*action);
  } else {
    request.what = Payload{payload_json(plan)};  // in the contract's own spelling
  }
  auto target = find_nth(now.screen, wanted, *request.nth);
  if (!target) {
    keep(request.seen, now.result, now.screen);  // so that the error can contain refs of the screen
    co_return std::unexpected(std::move(target).error());
  }
  work->outcome.matches = target->matches;
  co_return aim_at(request, *target,
                   Error(errc::usage, "no selector distinguishes that field from another one"));
}

// The engine compares the node of every step with the one shown node. So a payload with a ref may
// have only one step that takes a node. With nth the comparison is left out for a longer payload.
Result<void> check_one_target(Request& request) {
  if (!request.how.shown || std::holds_alternative<Action>(request.what)) return ok();
  TRY(const Execution plan, plan_of(request));
  const auto takes_node = [](const Action& step) {
    return step.is<Click>() || matched_by(step) != NodeMatcher{};
  };
  if (std::ranges::count_if(plan.actions, takes_node) <= 1) return ok();
  if (request.ref) {
    return fail(errc::usage, "a ref is for a plan in which one step alone takes a node");
  }
  request.how.shown.reset();  // the screen was read a moment ago
  return ok();
}

// The app that the caller was shown; empty: unknown.
Task<std::string> app_shown(Executor* executor, const Request* request) {
  if (!request->in_shown_app) co_return std::string();
  co_return co_await app_in_front(&request->seen, executor, request->how.target);
}

// A text that two apps have must not be touched in the one that the caller has not seen. An id of
// the app needs no guard: no other app has it.
Task<void> bind_to_app(Work* work) {
  Request& request = work->request;
  const auto* action = std::get_if<Action>(&request.what);
  const bool touches =
      action && (action->is<Click>() || action->is<EnterText>() || action->is<ScrollAndClick>());
  if (!touches) co_return ok();
  CO_TRY(work->app_shown, co_await app_shown(work->executor, &request));
  const std::string& app = work->app_shown;
  const bool is_named = matched_by(*action).resource_id.value_or("").starts_with(app + ":id/");
  if (app.empty() || is_named || request.how.shown) co_return ok();
  request.how.shown = ShownNode{.app = app, .front = app};
  co_return ok();
}

Task<ExecuteResult> aim_and_carry_out(Work* work) {
  if (work->request.ref) CO_TRY_VOID(co_await aim_at_ref(work));
  if (work->request.nth) {
    CO_TRY_VOID(co_await aim_at_nth(work));
  } else {
    CO_TRY_VOID(co_await complete_ids(work));
  }
  CO_TRY_VOID(check_one_target(work->request));
  CO_TRY_VOID(co_await bind_to_app(work));
  co_return co_await carry_out(work);
}

// The snapshot after the action; for a snapshot action its own.
StepResult* look_step(Work* work) {
  Envelope& envelope = work->outcome.result->envelope;
  const auto* action = std::get_if<Action>(&work->request.what);
  if (action && action->is<Snapshot>()) return snapshot_step(envelope);
  // The added snapshot is the last step; a plan may use its name, too.
  auto& steps = envelope.step_results;
  return steps.empty() || steps.back().id != kLookStep ? nullptr : &steps.back();
}

// Why the screen of a failed execution is needed.
struct Failure {
  bool is_miss = false;
  bool is_ambiguous = false;
  NodeMatcher wanted{};
  std::string app_before{};
  std::optional<UiTree> screen{};  // read by the plan itself behind the step that failed
};

// The app that the caller expects to be in front.
Task<std::string> app_before(Work* work, std::size_t step) {
  if (!work->app_shown.empty()) co_return work->app_shown;
  const Seen& seen = work->request.seen;
  const ExecuteResult& result = *work->outcome.result;
  const auto known = seen.in_front ? seen.in_front->of(own_name(result)) : std::nullopt;
  if (known) co_return app_after(*known, std::span(work->outcome.execution->actions).first(step));
  CO_TRY(const auto tree, co_await held_tree(&seen, shown_last_of(seen, own_name(result))));
  co_return tree ? main_package(*tree) : "";
}

Task<Failure> failure_of(Work* work) {
  Envelope& envelope = work->outcome.result->envelope;
  const auto container = find_missing_container(envelope, *work->outcome.execution);
  const bool lacks_container = container && !is_miss(envelope) && !succeeded(envelope);
  const bool lacks_node = is_miss(envelope) || lacks_container;
  Failure failure{.is_miss = work->request.explains_miss && lacks_node,
                  .is_ambiguous = is_ambiguous(envelope)};
  const auto* action = std::get_if<Action>(&work->request.what);
  MissingNode missing =
      action ? MissingNode{wanted_node(*action)} : find_missing(envelope, *work->outcome.execution);
  if (lacks_container) missing = *container;
  failure.wanted = missing.node;
  if (failure.is_miss) {
    CO_TRY(failure.app_before, co_await app_before(work, missing.step));
  }
  co_return failure;
}

Task<JsonObject> find_crash_of(Work* work, std::string package) {
  return find_recent_crash(work->request.how.target, std::move(package),
                           [executor = work->executor](TargetOptions options) {
                             return executor->open(std::move(options));
                           });
}

// Adds why the app that was shown is not in front any more, where it has crashed.
Task<void> explain_other_app(Work* work) {
  Result<ExecuteResult>& result = work->outcome.result;
  CO_TRY(const JsonObject crash, co_await find_crash_of(work, work->app_shown));
  if (crash.empty()) co_return ok();
  result = std::unexpected(with_details(result.error(), ErrorMembers().object("crash", crash)));
  co_return ok();
}

Task<void> explain_failure(Work* work, Failure failure) {
  if (!failure.is_miss && !failure.is_ambiguous) co_return ok();
  Request& request = work->request;
  if (!failure.screen) {
    CO_TRY(Look now, co_await look(work->executor, &request));
    keep(request.seen, now.result, now.screen);
    failure.screen = std::move(now.screen);
  }
  const std::string front = main_package(*failure.screen);
  // The caller has not seen that app by the answer to its miss.
  const bool is_unseen = !work->app_shown.empty() && front != work->app_shown;
  if (!is_unseen) note_in_front(request.seen, *work->outcome.result, front);
  if (failure.is_ambiguous && failure.wanted != NodeMatcher{}) {
    work->outcome.several =
        describe_candidates(*failure.screen, matching_nodes(*failure.screen, failure.wanted));
  }
  if (!failure.is_miss) co_return ok();
  // Nothing of an app that the caller has not seen is near.
  if (is_unseen) failure.wanted = {};
  const FindCrash find_crash = [work](std::string package) {
    return find_crash_of(work, std::move(package));
  };
  CO_TRY(work->outcome.miss,
         co_await describe_miss_and_crash(&*failure.screen, &failure.wanted,
                                          std::move(failure.app_before), find_crash));
  co_return ok();
}

// Reads the trees around the action; of a failed plan also the last screen that it read.
void read_trees(Work* work, std::optional<StepResult>* before, Failure* failure) {
  ExecuteResult& result = *work->outcome.result;
  StepResult* after = work->request.observe ? look_step(work) : nullptr;
  const auto* action = std::get_if<Action>(&work->request.what);
  if (action) {
    TargetReport report = report_target(*before ? &**before : nullptr, after, *action);
    work->outcome.saw_before = before->has_value();
    work->outcome.stopped_by = std::move(report.stopped_by);
    const bool is_news = work->outcome.matches.count == 0 && !has_matches(result.envelope);
    if (is_news) work->outcome.matches = std::move(report.matches);
  }
  if (!after || (!failure->is_miss && !failure->is_ambiguous)) return;
  failure->screen = tree_of(*after);
  if (failure->screen) keep(work->request.seen, result, *failure->screen);
}

// Renders into the data of the step `look`, as `snapshot --format` does. An unreadable screen does
// not undo the action: the step's data then has `warn`.
Task<void> render_look(Work* work) {
  ExecuteResult& result = *work->outcome.result;
  StepResult* look = look_step(work);
  const Seen& seen = work->request.seen;
  const Observation& wanted = *work->request.observe;
  if (!look) co_return ok();
  SnapshotRequest request{.format = wanted.format, .since = std::nullopt};
  if (wanted.as_diff) {
    request.shown = read_of(seen, own_name(result));
    CO_TRY(auto before, co_await held_tree(&seen, last_read_of(seen, own_name(result))));
    request.since = Since{std::move(before)};
  }
  const auto shown = co_await show(&seen, &result, look, std::move(request));
  if (!shown) {
    set_data(look->data, "warn", "the screen could not be read: " + shown.error().message());
  }
  co_return ok();
}

// Notes the app that the plan should have brought to the front. After a failure it is unknown.
void note_app_after(const Work& work) {
  const Seen& seen = work.request.seen;
  const ExecuteResult& result = *work.outcome.result;
  const auto known = seen.in_front ? seen.in_front->of(own_name(result)) : std::nullopt;
  if (!succeeded(result.envelope)) {
    // A touch that failed brought no app to the front.
    if (work.app_shown.empty()) note_in_front(seen, result, "");
    return;
  }
  std::string app = app_after(known.value_or(""), work.outcome.execution->actions);
  // What the caller has waited for is no surprise to it, in whichever app it is.
  const auto* action = std::get_if<Action>(&work.request.what);
  const bool is_unknown = work.request.in_shown_app && action && action->is<WaitForNode>();
  if (is_unknown) app.clear();
  if (known || !app.empty()) note_in_front(seen, result, app);
}

Task<void> report(Work* work) {
  Request& request = work->request;
  ExecuteResult& result = *work->outcome.result;
  request.how.secrets = result.secrets;  // the next execution's answer may show them, too
  stay_on(&request.how.target, result.device_id);
  // A plan may have its own steps of these names.
  const auto then = look_of(request);
  std::optional<StepResult> before;
  if (then && then->before) before = remove_internal_snapshot(result.envelope, kBeforeStep);
  CO_TRY(Failure failure, co_await failure_of(work));
  const bool is_long = is_large(result.envelope);
  CO_TRY_VOID(co_await run_blocking_if(is_long, [&]() -> Result<void> {
    read_trees(work, &before, &failure);
    return ok();
  }));
  note_app_after(*work);
  const bool is_shown =
      request.observe && (request.observe->of_failure || succeeded(result.envelope));
  if (is_shown) CO_TRY_VOID(co_await render_look(work));
  if (request.verify) {
    CO_TRY_VOID(co_await run_blocking_if(is_long, [&]() -> Result<void> {
      work->outcome.effect = effect_of(result, *request.verify, before);
      return ok();
    }));
  }
  if (!request.observe && then) remove_internal_snapshot(result.envelope, kLookStep);
  // A failure that cannot be explained is reported unchanged.
  if (!work->is_cut_short) std::ignore = co_await explain_failure(work, std::move(failure));
  co_return ok();
}

}  // namespace

JsonObject Outcome::beside() const {
  JsonObject members;
  if (!opened.empty()) members.text("package", opened);
  if (matches.count > 0) matches.add_to(members);
  if (stopped_by) members.text("warn", *stopped_by);
  if (effect) effect->write_to(members);
  if (!miss.empty()) members.object("miss", miss);
  return members.append(several);
}

asio::awaitable<Outcome> perform(Executor* executor, Request request) {
  Work work{executor, std::move(request)};
  work.outcome.result = co_await aim_and_carry_out(&work);
  if (!work.outcome.result) {
    const bool is_other_app = work.outcome.result.error().code() == errc::app_not_in_front;
    if (is_other_app) std::ignore = co_await explain_other_app(&work);
    co_return std::move(work.outcome);
  }
  // A plan that was cancelled after its action still has a result. Report what is known, and send
  // the phone no more queries.
  const auto state = co_await asio::this_coro::cancellation_state;
  if (is_cancelled(state)) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    work.is_cut_short = true;
  }
  // The action stays done when the report fails or a signal cuts it short (which arrives as an
  // exception).
  try {
    std::ignore = co_await report(&work);
  } catch (const std::exception&) {
    work.is_cut_short = true;
  }
  work.outcome.is_cut_short = work.is_cut_short;
  co_return std::move(work.outcome);
}

namespace {

Result<void> check_front(const UiTree& screen, const std::string& app) {
  const std::string front = main_package(screen);
  if (front == app) return ok();
  return std::unexpected(stale_ref({.app = app, .front = app}, kOtherApp, front));
}

}  // namespace

Task<void> check_app_shown(Executor* executor, Request request) {
  CO_TRY(const std::string app, co_await app_shown(executor, &request));
  if (app.empty()) co_return ok();
  CO_TRY(const Look now, co_await look(executor, &request));
  co_return check_front(now.screen, app);
}

namespace {

// The one node of that screen that the request is for.
Task<std::size_t> node_on(Work* work, const UiTree* screen) {
  CO_TRY_VOID(co_await complete_ids(work, screen));
  const Request& request = work->request;
  const NodeMatcher wanted = matched_by(std::get<Action>(request.what));
  if (!request.nth) CO_TRY_VOID(act::check_alone(*screen, wanted));
  co_return nth_node(*screen, wanted, request.nth.value_or(1), matching_nodes(*screen, wanted));
}

}  // namespace

Task<Point> locate(Executor* executor, Request request) {
  Work work{executor, std::move(request)};
  std::optional<ShownNode> shown;
  if (work.request.ref) {
    CO_TRY_VOID(co_await complete_ref(&work));
    CO_TRY(const Target held, find_ref(work.request.seen.store, *work.request.ref, RefUse::press));
    shown = held.shown;
  }
  CO_TRY(const std::string app, co_await app_shown(executor, &work.request));
  CO_TRY(const Look now, co_await look(executor, &work.request));
  keep(work.request.seen, now.result, now.screen);  // so that an error can contain refs of it
  std::size_t node = 0;
  if (shown) {
    CO_TRY_VOID(check_shower(*shown, now.result.device_id, own_name(now.result)));
    const auto found = find_shown(now.screen, *shown);
    if (!found) {
      co_return std::unexpected(stale_ref(*shown, found.error(), main_package(now.screen)));
    }
    node = *found;
  } else {
    if (!app.empty()) CO_TRY_VOID(check_front(now.screen, app));
    CO_TRY(node, co_await node_on(&work, &now.screen));
  }
  CO_TRY(const Bounds part, part_to_touch(now.screen, node));
  co_return part.centre();
}

asio::awaitable<Outcome> observe_screen(Executor* executor, Request request) {
  co_await sleep_for(request.observe->settle);
  request.what = Snapshot{};
  request.observe->settle = {};
  request.timeout_ms.reset();  // it was the action's limit
  request.verify.reset();
  co_return co_await perform(executor, std::move(request));
}

}  // namespace clawperator::act
