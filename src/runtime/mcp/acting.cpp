#include "runtime/mcp/acting.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/hints.hpp"
#include "base/number.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/result.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/mcp/call_executor.hpp"

namespace clawperator::mcp {
namespace {

// A model names nodes that it has seen; for later ones there is wait_for.
constexpr std::chrono::milliseconds kPatienceOfModels{500};
constexpr double kPlanMs = 30000;  // of what does not wait for longer by itself

bool observes(const Arguments& arguments) { return arguments.text("observe") != "none"; }

std::chrono::milliseconds read_settle(const Arguments& arguments,
                                      std::chrono::milliseconds otherwise) {
  const auto given = arguments.whole("settle_ms");
  return given ? std::chrono::milliseconds(*given) : otherwise;
}

act::Observation observation_of(const Arguments& arguments, std::chrono::milliseconds settle) {
  return {.settle = read_settle(arguments, settle),
          .as_diff = arguments.text("observe") != "compact",
          .of_failure = false};
}

std::optional<Verify> verify_of(const Arguments& arguments, std::chrono::milliseconds settle) {
  const auto word = arguments.text("verify");
  const auto what = word ? read_verify(*word) : std::nullopt;
  if (!what) return std::nullopt;
  return Verify{.what = *what, .still = read_settle(arguments, settle)};
}

// What the answer of one tool contains of its step's data; the screen beside it shows the rest.
constexpr auto kOfTool = std::to_array<std::string_view>(
    {"scroll_outcome", "swipes_performed", "termination_reason", "warn"});

// What a step of a plan returns beside its result.
constexpr auto kNoise = std::to_array<std::string_view>({
    // members of the step itself
    "code",
    "error",
    "errorCode",
    "message",
    "elapsed_ms",
    // details of the dispatch; several of them are long
    "candidate_count",
    "candidates",
    "dispatch_accepted",
    "dispatch_method",
    "matched_target",
    "navigation_elapsed_ms",
    "progress",
    "submission",
    "submit_method",
    "target",
    "text_entry",
    // the plan's own parameters
    "all",
    "application_id",
    "clear",
    "click_after",
    "click_types",
    "container",
    "coordinate",
    "direction",
    "distance_ratio",
    "duration_ms",
    "key",
    "max_swipes",
    "settle_delay_ms",
    "strict",
    "submit",
    "timeout_ms",
    "uri",
    "validator",
});

// The members whose names are in the list, or those whose names are not.
JsonObject data_of(const StepResult& step, std::span<const std::string_view> names, bool listed) {
  JsonObject data;
  for (const auto& [name, value] : step.data) {
    const bool is_listed = std::ranges::find(names, name) != names.end();
    if (is_listed == listed) data.text(name, value);
  }
  return data;
}

// Beside a code, `error` contains words, or the code again.
const std::string* message_of(const StepResult& step) {
  if (const std::string* message = find_data(step.data, "message")) return message;
  const std::string* words = find_data(step.data, "error");
  return words && *words != *code_of(step) ? words : nullptr;
}

JsonObject verdict(const ExecuteResult& result) {
  JsonObject verdict_json;
  verdict_json.boolean("ok", true);
  if (result.backend == Backend::shell) verdict_json.text("backend", "shell");
  if (result.attempts > 1) verdict_json.number("attempts", result.attempts);
  const auto& steps = result.envelope.step_results;
  const auto own = std::ranges::find_if(
      steps, [](const StepResult& step) { return step.action_type != "snapshot_ui"; });
  if (own == steps.end()) return verdict_json;
  if (const JsonObject data = data_of(*own, kOfTool, true); !data.empty())
    verdict_json.object("data", data);
  const std::string* count = find_data(own->data, "matches");
  if (!count) return verdict_json;
  const std::string* taken = find_data(own->data, "taken");
  Matches{whole_number<std::size_t>(*count).value_or(0), taken ? *taken : ""}.add_to(verdict_json);
  return verdict_json;
}

// The rendered screen, or the reason why there is none.
std::string tree_lines(const Envelope& envelope) {
  const auto& steps = envelope.step_results;
  const auto step =
      std::ranges::find(steps.rbegin(), steps.rend(), "snapshot_ui", &StepResult::action_type);
  if (step == steps.rend()) return "\nthe screen could not be read";
  // A tree has a hash; a step without one contains the reason.
  const bool is_tree = find_data(step->data, "tree_hash") != nullptr;
  const std::string* text = find_data(step->data, is_tree ? "text" : "warn");
  return "\n" + (text ? *text : "the screen could not be read");
}

ToolAnswer success_answer(const act::Outcome& outcome, bool is_shown) {
  JsonObject verdict_json = verdict(*outcome.result);
  if (!outcome.opened.empty()) verdict_json.text("package", outcome.opened);
  if (outcome.matches.count > 0) outcome.matches.add_to(verdict_json);
  if (outcome.saw_before && outcome.stopped_by) verdict_json.text("warn", *outcome.stopped_by);
  if (outcome.effect) outcome.effect->write_to(verdict_json);
  std::string text = outcome.result->secrets.masked_json(verdict_json.str());
  if (is_shown) text += tree_lines(outcome.result->envelope);
  // Where nothing seems to have changed: the likely reason.
  const bool explains =
      !outcome.saw_before && outcome.stopped_by && text.contains("\nas last shown: ");
  if (explains) text += ": " + *outcome.stopped_by;
  return {.text = std::move(text), .device = outcome.result->device_id};
}

Result<void> check_nth(const Arguments& arguments, bool has_selector) {
  if (has_selector || !arguments.has("nth")) return ok();
  return fail(errc::usage, "nth counts the nodes of a selector");
}

}  // namespace

TargetOptions target_of(const Call& call) {
  TargetOptions target = call.defaults->target;
  if (auto device = call.arguments.text("device")) {
    target.device = std::move(device);
    target.honour_android_serial = false;
  }
  if (call.last_device) stay_on(&target, *call.last_device);
  return target;
}

act::Request request_of(const Call& call, std::variant<Action, act::Payload> what,
                        std::chrono::milliseconds settle) {
  const Arguments& arguments = call.arguments;
  const auto nth = arguments.whole("nth");
  act::Request request{.what = std::move(what), .how = {}, .seen = call.defaults->seen};
  request.how.target = target_of(call);
  request.how.operator_package = call.defaults->operator_package;
  request.how.broadcast_action = call.defaults->broadcast_action;
  request.how.lock_patience = kPatience;
  if (call.secrets) request.how.secrets = *call.secrets;
  request.how.on_stage = call.on_stage;
  request.backend = call.defaults->backend;
  request.timeout_ms = kPlanMs;
  const auto patience = arguments.whole("patience");
  request.patience = patience ? std::chrono::milliseconds(*patience) : kPatienceOfModels;
  request.ref = arguments.text("ref");
  if (nth) request.nth = static_cast<std::size_t>(*nth);
  request.short_ids = act::ShortIds::found;
  request.in_shown_app = true;
  request.verify = verify_of(arguments, settle);
  return request;
}

Result<std::optional<act::Place>> read_place(const Arguments& arguments) {
  const auto x = arguments.whole("x");
  const auto y = arguments.whole("y");
  TRY(auto selector, arguments.selector("selector"));
  const bool has_ref = arguments.has("ref");
  if (x.has_value() != y.has_value()) return fail(errc::usage, "a point needs x and y");
  if ((x ? 1 : 0) + (selector ? 1 : 0) + (has_ref ? 1 : 0) > 1) {
    return fail(errc::usage, "give a ref, a selector or a point, not several");
  }
  TRY_VOID(check_nth(arguments, selector.has_value()));
  if (x) return act::Place{Point{*x, *y}};
  if (selector) return act::Place{Selector{*std::move(selector)}};
  return has_ref ? std::optional(act::Place{}) : std::nullopt;
}

Result<std::optional<Selector>> read_node(const Arguments& arguments) {
  TRY(auto selector, arguments.selector("selector"));
  const bool has_ref = arguments.has("ref");
  if (has_ref && selector) return fail(errc::usage, "give a ref or a selector, not both");
  TRY_VOID(check_nth(arguments, selector.has_value()));
  if (selector) return Selector{*std::move(selector)};
  return has_ref ? std::optional(Selector{}) : std::nullopt;
}

bool is_for_one_alone(const Call& call) {
  return call.arguments.has("selector") && !call.arguments.has("nth");
}

namespace {

Task<ToolAnswer> answer_request(Call call, act::Request request, std::optional<std::string> why) {
  CallExecutor executor(&call);
  const bool is_shown = request.observe.has_value();
  const act::Outcome outcome = co_await act::perform(&executor, std::move(request));
  if (!outcome.result) co_return std::unexpected(outcome.result.error());
  if (call.secrets) *call.secrets = outcome.result->secrets;
  if (succeeded(outcome.result->envelope)) co_return success_answer(outcome, is_shown);
  if (!act::is_awaited_in_vain(outcome.result->envelope)) why.reset();
  co_return failure_answer(outcome, why);
}

}  // namespace

Task<ToolAnswer> perform_and_answer(Call call, Action action, std::chrono::milliseconds settle) {
  act::Request request = request_of(call, std::move(action), settle);
  if (observes(call.arguments)) request.observe = observation_of(call.arguments, settle);
  return answer_request(std::move(call), std::move(request), std::nullopt);
}

Task<ToolAnswer> wait_and_answer(Call call, Action wait, std::chrono::milliseconds limit) {
  // The app does nothing else while it waits, even if the client has given up, and looks only at
  // the beginning and the end of so short a part: so the answer is late by that at most.
  constexpr std::chrono::milliseconds kPartOfWait{200};
  act::Request request = request_of(call, std::move(wait));
  request.part_of_wait = kPartOfWait;
  if (observes(call.arguments)) request.observe = observation_of(call.arguments, {});
  return answer_request(std::move(call), std::move(request),
                        "not there after " + std::to_string(limit.count()) + " ms");
}

Task<ToolAnswer> observe_after(Call call, std::chrono::milliseconds settle, JsonObject more) {
  const std::string done = JsonObject().boolean("ok", true).append(more).str();
  if (!observes(call.arguments)) co_return text_answer(done);
  act::Request request = request_of(call, Snapshot{});
  request.observe = observation_of(call.arguments, settle);
  CallExecutor executor(&call);
  const act::Outcome seen = co_await act::observe_screen(&executor, std::move(request));
  if (seen.result) co_return text_answer(done + tree_lines(seen.result->envelope));
  co_return text_answer(done + "\nthe screen could not be read: " + seen.result.error().message());
}

namespace {

// Of the step that ended the plan, not of another one that failed before.
std::string ending_message(const Envelope& envelope) {
  const StepResult* step = act::ending_step(envelope);
  const std::string* message = step ? find_data(step->data, "message") : nullptr;
  if (message) return *message;
  return envelope.error ? *envelope.error : act::failure_message(envelope);
}

}  // namespace

JsonObject failure_verdict(const ExecuteResult& result, const std::optional<std::string>& why) {
  const Envelope& envelope = result.envelope;
  JsonObject verdict_json;
  verdict_json.boolean("ok", false).text("code", act::failure_code(envelope));
  verdict_json.text("message", why ? *why : ending_message(envelope));
  verdict_json.text("device", result.device_id);
  if (envelope.hint) verdict_json.text("hint", restated(*envelope.hint, Reader::mcp));
  return verdict_json;
}

std::string steps_json(const Envelope& envelope) {
  return list_json(envelope.step_results, [](const StepResult& step) {
    JsonObject json;
    json.text("id", step.id);
    if (!step.success) {
      json.boolean("ok", false);
      if (const std::string* code = code_of(step)) json.text("code", *code);
      if (const std::string* message = message_of(step)) json.text("message", *message);
    }
    if (const std::string* ms = find_data(step.data, "elapsed_ms")) {
      json.number("ms", whole_number<std::int64_t>(*ms).value_or(0));
    }
    if (step.action_type == "snapshot_ui") {
      if (step.success) act::write_step(json, step);
    } else if (const JsonObject data = data_of(step, kNoise, false); !data.empty()) {
      json.object("data", data);
    }
    return json;
  });
}

ToolAnswer failure_answer(const act::Outcome& outcome, const std::optional<std::string>& why) {
  JsonObject verdict_json = failure_verdict(*outcome.result, why);
  verdict_json.append(outcome.miss).append(outcome.several);
  return {.text = outcome.result->secrets.masked_json(verdict_json.str()), .is_error = true};
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
