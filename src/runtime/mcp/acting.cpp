#include "runtime/mcp/acting.hpp"

#include <algorithm>

#include "base/async/blocking.hpp"
#include "base/async/parallel.hpp"
#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/engine/password_fields.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/mcp/running.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::mcp {
namespace {

constexpr std::chrono::milliseconds kPatience{15000};

Task<std::optional<std::string>> shown_last(Call call) {
  if (!call.hand->shown) co_return std::nullopt;
  CO_TRY(const auto serials, co_await devices_of(call));
  co_return call.hand->shown->first_of(serials);
}

Task<UiTree> tree_shown_last(Call call) {
  CO_TRY(const auto hash, co_await shown_last(call));
  if (!hash) co_return fail(errc::stale_ref, "nothing was shown");
  co_return co_await run_blocking([&]() -> Result<UiTree> {
    const auto xml = call.hand->snapshots.find(*hash);
    return xml ? parse_hierarchy(*xml) : fail(errc::stale_ref, "it is no longer held");
  });
}

// `now`: the screen, where it was read already.
Task<NodeMatcher> complete(Call* call, NodeMatcher matcher, const UiTree* now = nullptr) {
  if (!matcher.resource_id || matcher.resource_id->find('/') != std::string::npos) {
    co_return matcher;
  }
  const auto shown = co_await tree_shown_last(*call);
  auto whole = shown ? act::whole_id(*shown, *matcher.resource_id) : std::nullopt;
  UiTree read;
  if (!whole && !now) {
    CO_TRY(read, co_await look(call));
    now = &read;
  }
  if (!whole) {
    whole = act::whole_id(*now, *matcher.resource_id);
    // Of a node that is still to come, the app in front is as good a guess as any.
    if (!whole) whole = main_package(*now) + ":id/" + *matcher.resource_id;
  }
  matcher.resource_id = *std::move(whole);
  co_return matcher;
}

Task<std::string> whole_ref(Call call, std::string ref) {
  if (!ref.starts_with('@')) co_return ref;
  CO_TRY_VOID(parse_ref(ref));
  if (!call.hand->shown) {
    co_return fail(errc::usage, "here a ref needs the hash of its snapshot: HASH" + ref);
  }
  CO_TRY(const auto hash, co_await shown_last(call));
  if (hash) co_return *hash + ref;
  co_return fail(errc::stale_ref, "ref " + ref + " needs a snapshot that was shown before");
}

bool observes(const Arguments& arguments) { return arguments.text("observe") != "none"; }

std::chrono::milliseconds read_settle(const Arguments& arguments,
                                      std::chrono::milliseconds otherwise) {
  const auto given = arguments.whole("settle_ms");
  return given ? std::chrono::milliseconds(*given) : otherwise;
}

// What a step of ours tells beside that it succeeded.
std::string outcome_of(const StepResult& step) {
  JsonObject data;
  for (const auto& [name, value] : step.data) {
    if (name == "text" || name == "scroll_outcome" || name == "swipes_performed" ||
        name == "termination_reason" || name == "warn") {
      data.text(name, value);
    }
  }
  return data.empty() ? "" : data.str();
}

JsonObject verdict(const ExecuteResult& result) {
  JsonObject told;
  told.boolean("ok", true).text("device", result.device_id);
  if (result.backend == Backend::shell) told.text("backend", "shell");
  if (result.attempts > 1) told.number("attempts", result.attempts);
  const auto& steps = result.envelope.step_results;
  const auto own = std::ranges::find_if(
      steps, [](const StepResult& step) { return step.action_type != "snapshot_ui"; });
  if (own == steps.end()) return told;
  if (const std::string outcome = outcome_of(*own); !outcome.empty()) told.json("data", outcome);
  const std::string* count = find_data(own->data, "matches");
  if (!count) return told;
  const std::string* taken = find_data(own->data, "taken");
  Matches{whole_number<std::size_t>(*count).value_or(0), taken ? *taken : ""}.tell(told);
  return told;
}

std::string unseen(const Error& error) {
  return "\nthe screen could not be read: " + error.message();
}

// What was done was done, whether or not the screen can be read.
asio::awaitable<std::string> tree_lines(Call call, const ExecuteResult* result) {
  ShowRequest wanted{.showing = Showing::diff};
  if (call.arguments.text("observe") == "compact") wanted.showing = Showing::compact;
  const auto tree = co_await show(call, result, std::move(wanted));
  co_return tree ? "\n" + tree->text : unseen(tree.error());
}

// Where nothing has changed: what may have stopped it.
asio::awaitable<std::string> why_unchanged(ExecuteResult* result, const act::Action* action) {
  const StepResult* look = snapshot_step(result->envelope);
  if (!look) co_return "";
  const auto why = co_await run_blocking([&]() -> Result<std::string> {
    const auto screen = act::tree_of(*look);
    return screen ? act::what_stops(*screen, *action).value_or("") : "";
  });
  co_return why && !why->empty() ? ": " + *why : "";
}

asio::awaitable<JsonObject> tell_target(StepResult* before, const act::Action* action,
                                        bool counts) {
  auto told = co_await run_blocking(
      [&]() -> Result<JsonObject> { return act::tell_target(before, nullptr, *action, counts); });
  co_return told ? *std::move(told) : JsonObject();
}

Task<ToolAnswer> tell_success(Call call, ExecuteResult result, std::optional<Verify> verify,
                              std::optional<StepResult> before, act::Action action,
                              Matches matches) {
  JsonObject told = verdict(result);
  if (matches.count > 0) matches.tell(told);
  const bool counts = matches.count == 0 && !act::tells_matches(result.envelope);
  JsonObject target;
  if (before) target = co_await tell_target(&*before, &action, counts);
  told.append(target);
  if (verify) {
    const auto effect = co_await act::find_effect(&result, &*verify, &before);
    effect.tell(told);
  }
  std::string text = call.secrets.masked_json(told.str());
  if (observes(call.arguments)) text += co_await tree_lines(call, &result);
  // With --verify the tree before has told it.
  const bool explains = !before && text.ends_with("\nunchanged");
  if (explains) text += co_await why_unchanged(&result, &action);
  co_return text_answer(std::move(text));
}

// The screen that a plan has looked at behind a step that failed, else as it is now; kept.
Task<UiTree> screen_after(Call* call, const ExecuteResult* result) {
  if (!snapshot_text(result->envelope)) co_return co_await look(call);
  co_return co_await run_blocking(
      [&] { return act::observe(result->envelope, call->hand->snapshots); });
}

// What stands on the screen instead of a node that is not there.
Task<JsonObject> tell_miss(Call call, const ExecuteResult* result, NodeMatcher wanted) {
  const auto shown = co_await tree_shown_last(call);
  const auto tree = co_await screen_after(&call, result);
  if (!tree) co_return JsonObject();
  const auto find_crash = [&call](std::string package) {
    return call.hand->find_recent_crash(target_of(call), std::move(package));
  };
  co_return co_await act::tell_whole_miss(&*tree, &wanted, shown ? main_package(*shown) : "",
                                          find_crash);
}

// A race waits for its other side where one of them throws, so this one does not. Being cancelled
// comes as an exception, too.
Task<ExecuteResult> guarded(Task<ExecuteResult> work) {
  Error wrong(errc::cancelled, "cancelled");
  try {
    co_return co_await std::move(work);
  } catch (const std::exception& error) {
    wrong = Error(errc::unknown, std::string("it went wrong in here: ") + error.what());
  }
  co_return std::unexpected(std::move(wrong));
}

}  // namespace

asio::awaitable<void> mark_seen_passwords(Call* call, Execution* execution) {
  if (typed_by(*execution).empty()) co_return;
  const auto ref = call->arguments.text("ref").value_or("");
  std::optional<std::string> hash = ref.substr(0, ref.find('@'));
  if (hash->empty()) hash = (co_await shown_last(*call)).value_or(std::nullopt);
  if (!hash) co_return;
  [[maybe_unused]] const auto marked = co_await run_blocking([&]() -> Result<void> {
    const auto xml = call->hand->snapshots.find(*hash);
    if (xml) mark_passwords(*execution, *xml, SeenWhen::before);
    return ok();
  });
}

namespace {

std::optional<UiTree> tree_before(const act::SnapshotStore& store, const ShowRequest& wanted) {
  if (wanted.showing != Showing::diff || !wanted.since) return std::nullopt;
  const auto xml = store.find(*wanted.since);
  if (!xml) return std::nullopt;
  auto tree = parse_hierarchy(*xml);
  if (!tree) return std::nullopt;
  return *std::move(tree);
}

}  // namespace

Task<std::vector<std::string>> devices_of(Call call) {
  std::vector<std::string> serials;
  if (auto named = question_of(target_of(call)).serial) {
    serials.push_back(*std::move(named));
    co_return serials;
  }
  CO_TRY(const auto rows, co_await call.hand->devices());
  const std::string* identity = nullptr;
  for (const DeviceRow& row : rows) {
    if (row.state != State::device) continue;
    if (identity && (identity->empty() || *identity != row.identity)) {
      co_return std::vector<std::string>();
    }
    identity = &row.identity;
    serials.push_back(row.serial);
  }
  co_return serials;
}

std::string failure_code(const Envelope& envelope) {
  if (act::is_miss(envelope)) return "NODE_NOT_FOUND";
  if (envelope.error_code) return *envelope.error_code;
  for (const StepResult& step : envelope.step_results) {
    const std::string* code = step.success ? nullptr : find_data(step.data, "error");
    if (code) return *code;
  }
  return "EXECUTION_FAILED";
}

Task<JsonObject> tell_several(Call call, const ExecuteResult* result, NodeMatcher wanted) {
  const auto tree = co_await screen_after(&call, result);
  if (!tree) co_return JsonObject();
  co_return co_await run_blocking(
      [&]() -> Result<JsonObject> { return act::tell_several(*tree, wanted); });
}

Task<ShownTree> show(Call call, const ExecuteResult* result, ShowRequest wanted) {
  const Hand& hand = *call.hand;
  if (!wanted.since && hand.shown) wanted.since = hand.shown->of(own_name(*result));
  CO_TRY(ShownTree tree, co_await run_blocking(
                             [&] { return show_tree(hand.snapshots, result->envelope, wanted); }));
  CO_TRY_VOID(co_await note_shown(call, result, tree.hash));
  co_return tree;
}

Task<void> note_shown(Call call, const ExecuteResult* result, std::string hash) {
  if (call.hand->shown) call.hand->shown->note(result->device_id, own_name(*result), hash);
  co_return co_await run_blocking([&]() -> Result<void> {
    call.hand->snapshots.note_showing(result->device_id, own_name(*result), hash);
    return ok();
  });
}

Task<UiTree> look(Call* call) {
  CO_TRY(const ExecuteResult result, co_await run_action(*call, act::Snapshot{}));
  call->looked_at = result.device_id;
  co_return co_await run_blocking([&]() -> Result<UiTree> {
    const act::SnapshotStore& store = call->hand->snapshots;
    TRY(UiTree tree, act::observe(result.envelope, store));
    store.note_showing(result.device_id, own_name(result), tree.hash);
    return tree;
  });
}

Task<ExecuteResult> carry_out(Call call, ExecuteRequest request) {
  const auto left = call.time_left();
  request.lock_patience = std::min(request.lock_patience, left);
  std::optional<Result<ExecuteResult>> result;
  const auto ended = co_await adbproto::run_within(
      base::parallel::keep(guarded(call.hand->execute(std::move(request))), &result), left,
      "the call");
  if (ended && result) co_return *std::move(result);
  if (ended || ended.error().code() != errc::deadline_exceeded) {
    co_return fail(errc::cancelled, "cancelled");
  }
  const Error late(errc::deadline_exceeded,
                   "the call took too long; what it was to do may have been done");
  co_return std::unexpected(with_details(late, ErrorMembers().boolean("dispatchAttempted", true)));
}

TargetOptions target_of(const Call& call) {
  TargetOptions target = call.hand->target;
  if (auto device = call.arguments.text("device")) {
    target.device = std::move(device);
    target.honour_android_serial = false;
  }
  if (call.looked_at) stay_on(&target, *call.looked_at);
  return target;
}

ExecuteRequest request_of(const Call& call, Execution execution) {
  ExecuteRequest request;
  request.execution = std::move(execution);
  request.secrets = call.secrets;
  request.target = target_of(call);
  request.operator_package = call.hand->operator_package;
  request.broadcast_action = call.hand->broadcast_action;
  request.backend = call.hand->backend.value_or(Backend::operator_app);
  request.lock_patience = kPatience;
  request.on_stage = call.on_stage;
  return request;
}

std::optional<Verify> verify_of(const Call& call, std::chrono::milliseconds settle) {
  const auto word = call.arguments.text("verify");
  const auto what = word ? read_verify(*word) : std::nullopt;
  if (!what) return std::nullopt;
  return Verify{.what = *what, .still = read_settle(call.arguments, settle)};
}

// The node of a selector; with `nth` the screen is read for it.
Task<act::NthPlace> find_selected(Call* call, NodeMatcher selector) {
  const auto nth = call->arguments.whole("nth");
  if (!nth) {
    CO_TRY(NodeMatcher whole, co_await complete(call, std::move(selector)));
    co_return act::NthPlace{act::Place{act::Selector{std::move(whole)}}};
  }
  CO_TRY(const UiTree now, co_await look(call));
  CO_TRY(const NodeMatcher whole, co_await complete(call, std::move(selector), &now));
  co_return co_await run_blocking(
      [&] { return act::find_nth(now, whole, static_cast<std::size_t>(*nth)); });
}

Result<void> check_nth(const Call& call, bool has_selector) {
  if (has_selector || !call.arguments.has("nth")) return ok();
  return fail(errc::usage, "nth counts the nodes of a selector");
}

Task<std::optional<act::NthPlace>> find_place(Call* call) {
  const Arguments& arguments = call->arguments;
  const auto x = arguments.whole("x");
  const auto y = arguments.whole("y");
  CO_TRY(auto selector, arguments.selector("selector"));
  const auto ref = arguments.text("ref");
  if (x.has_value() != y.has_value()) co_return fail(errc::usage, "a point needs x and y");
  if ((x ? 1 : 0) + (selector ? 1 : 0) + (ref ? 1 : 0) > 1) {
    co_return fail(errc::usage, "give a ref, a selector or a point, not several");
  }
  CO_TRY_VOID(check_nth(*call, selector.has_value()));
  if (x) co_return act::NthPlace{act::Place{Point{*x, *y}}};
  if (selector) co_return co_await find_selected(call, *std::move(selector));
  if (!ref) co_return std::nullopt;
  CO_TRY(const std::string named, co_await whole_ref(*call, *ref));
  CO_TRY(act::Place place,
         co_await run_blocking([&] { return act::find_ref(call->hand->snapshots, named); }));
  co_return act::NthPlace{std::move(place)};
}

Task<std::optional<FoundNode>> find_node(Call* call, RefUse use) {
  const auto ref = call->arguments.text("ref");
  CO_TRY(auto selector, call->arguments.selector("selector"));
  if (ref && selector) co_return fail(errc::usage, "give a ref or a selector, not both");
  CO_TRY_VOID(check_nth(*call, selector.has_value()));
  if (selector) {
    CO_TRY(const act::NthPlace found, co_await find_selected(call, *std::move(selector)));
    CO_TRY(act::Selector node, act::selector_of(found));
    co_return FoundNode{std::move(node), found.matches, found.is_password, found.place.shown};
  }
  if (!ref) co_return std::nullopt;
  CO_TRY(const std::string named, co_await whole_ref(*call, *ref));
  CO_TRY(act::RefNode found, co_await run_blocking([&] {
           return act::find_unique(call->hand->snapshots, named, use);
         }));
  co_return FoundNode{.node = std::move(found.node), .shown = std::move(found.shown)};
}

Task<ToolAnswer> act_and_observe(Call call, act::Action action, std::chrono::milliseconds settle,
                                 Matches matches) {
  settle = read_settle(call.arguments, settle);
  Wanted wanted;
  wanted.verify = verify_of(call, settle);
  // An app is stopped before any snapshot of its plan.
  const bool has_before =
      wanted.verify && !wanted.verify->settles() && !std::holds_alternative<act::CloseApp>(action);
  if (observes(call.arguments)) wanted.then = act::ThenLook{settle, has_before};
  CO_TRY(ExecuteResult result, co_await run_alone(&call, action, wanted));
  call.secrets = result.secrets;
  auto before = act::take_unseen(result.envelope, act::kBeforeStep);
  if (!succeeded(result.envelope)) {
    co_return co_await tell_failure(call, std::move(result), act::wanted_node(action));
  }
  co_return co_await tell_success(call, std::move(result), wanted.verify, std::move(before),
                                  std::move(action), std::move(matches));
}

Task<ToolAnswer> wait_and_observe(Call call, act::Action wait, std::chrono::milliseconds limit) {
  Wanted wanted;
  const auto settle = read_settle(call.arguments, {});
  if (observes(call.arguments)) wanted.then = act::ThenLook{settle};
  CO_TRY(ExecuteResult result, co_await wait_in_parts(call, wait, limit, wanted));
  if (succeeded(result.envelope)) {
    co_return co_await tell_success(call, std::move(result), std::nullopt, std::nullopt,
                                    std::move(wait), {});
  }
  std::optional<std::string> why;
  if (is_in_vain(result.envelope)) why = "not there after " + std::to_string(limit.count()) + " ms";
  co_return co_await tell_failure(call, std::move(result), act::wanted_node(wait), std::move(why));
}

Task<ToolAnswer> observe_after(Call call, std::chrono::milliseconds settle, JsonObject more) {
  settle = read_settle(call.arguments, settle);
  const std::string done = JsonObject().boolean("ok", true).append(more).str();
  if (!observes(call.arguments)) co_return text_answer(done);
  co_await adbproto::sleep_for(settle);
  const auto seen = co_await run_action(call, act::Snapshot{});
  if (!seen) co_return text_answer(done + unseen(seen.error()));
  co_return text_answer(done + co_await tree_lines(call, &*seen));
}

JsonObject failure_verdict(const ExecuteResult& result, const std::optional<std::string>& why) {
  const Envelope& envelope = result.envelope;
  JsonObject told;
  told.boolean("ok", false).text("code", failure_code(envelope));
  told.text("message", why ? *why : act::failure_message(envelope));
  told.text("device", result.device_id);
  if (envelope.hint) told.text("hint", *envelope.hint);
  return told;
}

Task<ToolAnswer> tell_failure(Call call, ExecuteResult result, NodeMatcher wanted,
                              std::optional<std::string> why) {
  const Envelope& envelope = result.envelope;
  JsonObject told = failure_verdict(result, why);
  call.looked_at = result.device_id;
  JsonObject more;
  if (act::is_miss(envelope)) {
    CO_TRY(more, co_await tell_miss(call, &result, wanted));
  }
  if (envelope.error_code == "NODE_AMBIGUOUS") {
    CO_TRY(more, co_await tell_several(call, &result, std::move(wanted)));
  }
  told.append(more);
  const std::string text = call.secrets.masked_json(told.str());
  co_return ToolAnswer{.content = text_answer(text).content, .is_error = true, .code = text};
}

Result<ShownTree> show_tree(const act::SnapshotStore& store, const Envelope& envelope,
                            const ShowRequest& wanted) {
  const auto before = tree_before(store, wanted);
  TRY(const UiTree now, act::observe(envelope, store));
  if (wanted.showing == Showing::full) return ShownTree{*snapshot_text(envelope), now.hash, false};
  return ShownTree{before ? act::shortest_change(*before, now) : to_compact(now), now.hash,
                   before.has_value()};
}

std::string cut_lines(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t end = text.rfind('\n', most);
  const std::size_t kept = end == text.npos ? 0 : end + 1;
  std::ptrdiff_t left_out =
      std::count(text.begin() + static_cast<std::ptrdiff_t>(kept), text.end(), '\n');
  if (!text.ends_with('\n')) ++left_out;
  text.resize(kept);
  return text + "(" + std::to_string(left_out) + " more lines were left out: max_bytes)";
}

}  // namespace clawperator::mcp
