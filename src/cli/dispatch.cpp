#include "cli/dispatch.hpp"

#include <algorithm>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/system/environment.hpp"
#include "cli/afterwards.hpp"
#include "cli/output.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/effect.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/act/result.hpp"
#include "runtime/act/snapshot.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/daemon/client.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/execution_trace.hpp"
#include "runtime/engine/password_fields.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/screenshot.hpp"
#include "runtime/host/verbs/app_log.hpp"

namespace clawperator::cli {
Result<Execution> execution_for(const Invocation& invocation, const act::Action& action,
                                std::optional<act::ThenLook> then) {
  const Globals& globals = invocation.globals;
  return act::execution_of(action, invocation.stamp, globals.timeout_ms, operator_package(globals),
                           then);
}

ExecuteRequest request_for(const Invocation& invocation, Execution execution) {
  ExecuteRequest request;
  request.execution = std::move(execution);
  request.secrets = invocation.secrets;
  request.target = invocation.globals.target;
  request.operator_package = operator_package(invocation.globals);
  request.broadcast_action = broadcast_action(invocation.globals);
  request.backend = invocation.globals.backend.value_or(Backend::operator_app);
  request.lock_patience = invocation.globals.lock_patience;
  request.timings = invocation.globals.timings;
  request.traceparent = parse_traceparent(environment_variable("TRACEPARENT").value_or(""));
  return request;
}

void mark_seen_passwords(const Invocation& invocation, Execution& execution) {
  if (typed_by(execution).empty()) return;
  if (const auto xml = seen_tree(invocation)) mark_passwords(execution, *xml, SeenWhen::before);
}

namespace {

constexpr double kLookByShellMs = 15000;

// What the other process tells goes into the trace, too; it does not know the device's time.
void trace_stages(ExecuteRequest& request, ExecutionTrace* trace) {
  if (!trace->is_on()) return;
  request.on_stage = [trace, tell = std::move(request.on_stage)](const Stage& stage) {
    trace->stage(stage, {});
    if (tell) tell(stage);
  };
}

JsonObject ids_of(const ExecuteRequest& request) {
  JsonObject ids;
  ids.text("commandId", request.execution.command_id).text("taskId", request.execution.task_id);
  if (request.traceparent) ids.text("traceId", request.traceparent->trace_id);
  return ids.boolean("daemon", true);
}

void trace_outcome(ExecutionTrace* trace, const ExecuteRequest& request,
                   const Result<ExecuteResult>& outcome) {
  JsonObject ids = ids_of(request);
  if (outcome) ids.text("executionId", outcome->execution_id);
  trace->begin(request, std::move(ids));
  if (!outcome) return trace->end(outcome.error().code()->published, {});
  trace->place(outcome->timings);
  trace->end(succeeded(outcome->envelope) ? "success" : "failed", outcome->device_id);
}

using Outcome = std::optional<Result<ExecuteResult>>;

asio::awaitable<Outcome> trace_daemon(Trace* trace, ExecuteRequest request,
                                      const daemon::Surface* surface) {
  ExecutionTrace traced(trace);
  trace_stages(request, &traced);
  auto outcome = co_await daemon::execute_by_daemon(&request, surface);
  if (outcome) trace_outcome(&traced, request, *outcome);
  co_return outcome;
}

asio::awaitable<Outcome> ask_daemon(const ExecuteRequest* request, const daemon::Surface* surface) {
  Trace* trace = Trace::of(co_await asio::this_coro::executor);
  if (trace) co_return co_await trace_daemon(trace, *request, surface);
  co_return co_await daemon::execute_by_daemon(request, surface);
}

// By a process of this user that keeps devices connected; here, if that one does not want to.
Task<ExecuteResult> execute_by_daemon_or_here(ExecuteRequest request, EventLog* log,
                                              daemon::Surface surface) {
  auto outcome = co_await ask_daemon(&request, &surface);
  if (outcome) co_return *std::move(outcome);
  co_return co_await execute(std::move(request), log);
}

}  // namespace

Result<ExecuteResult> dispatch(const Invocation& invocation, ExecuteRequest request) {
  EventLog log(log_options(invocation.globals));
  request.on_warning = [](std::string_view warning) {
    print_warning("[clawperator] WARN: " + std::string(warning));
  };
  warn_of_runtime_folders();
  auto surface = daemon::has_socket() ? daemon_surface(invocation.globals) : std::nullopt;
  if (!surface) return run_task(execute(std::move(request), &log));
  // What this process knows better than the other one.
  TargetOptions& target = request.target;
  if (!target.device && target.honour_android_serial) {
    target.device = environment_variable("ANDROID_SERIAL");
  }
  request.screenshot.default_path =
      default_picture_path(request.execution.command_id, request.screenshot.format);
  return run_task(execute_by_daemon_or_here(std::move(request), &log, *std::move(surface)));
}

Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view told) {
  const Globals& globals = invocation.globals;
  const std::string more = result.secrets.masked_json(told);
  Answer answer;
  const act::Beside beside{globals.timings, more};
  answer.json = globals.output == OutputMode::brief ? act::brief_json(result, beside)
                                                    : act::result_json(result, beside);
  answer.exit_code = succeeded(result.envelope) ? 0 : 1;
  if (globals.output == OutputMode::pretty) {
    answer.text = envelope_for_people(result.envelope, result.device_id);
    if (!more.empty()) answer.text += indent_json(more) + "\n";
    if (globals.timings) answer.text += timings_for_people(result.timings);
  }
  return answer;
}

std::optional<Answer> answer_without_device(const Arguments& arguments,
                                            const Execution& execution) {
  if (arguments.has("--dry-run")) return Answer{act::planned_json(execution), {}, {}, 0};
  if (arguments.has("--validate-only")) return Answer{act::validated_json(execution), {}, {}, 0};
  return std::nullopt;
}

void Look::tell_how(const Globals& globals, JsonObject& json) const {
  if (globals.timings) act::add_timings(json, result);
}

void Look::keep() const {
  const auto* xml = snapshot_text(result.envelope);
  if (!xml) return;
  const act::SnapshotStore store = snapshot_store();
  store.keep(screen.hash, *xml);
  store.note_showing(result.device_id, own_name(result), screen.hash);
}

Result<Look> look(Invocation* invocation) {
  Invocation other = *invocation;
  other.stamp = act::Stamp::now();
  auto& limit = other.globals.timeout_ms;
  // That of a wait may be shorter, or longer; uiautomator waits for a still screen by itself.
  const bool by_shell = other.globals.backend == Backend::shell;
  if (limit) limit = std::clamp(*limit, by_shell ? kLookByShellMs : kMinTimeoutMs, kMaxTimeoutMs);
  TRY(auto execution, execution_for(other, act::Snapshot{}));
  TRY(ExecuteResult result, dispatch(other, request_for(other, std::move(execution))));
  stay_on(&invocation->globals.target, result.device_id);
  TRY(UiTree screen, act::observe(result.envelope, act::SnapshotStore({})));
  return Look{std::move(screen), std::move(result)};
}

namespace {

// After its time to change, which who verified has waited for already.
Result<ExecuteResult> look_after_pause(const Invocation& invocation, const Afterwards& afterwards) {
  const auto pause = static_cast<double>(afterwards.look.settle.count());
  const bool waits = !afterwards.verify && pause > 0;
  TRY(auto execution, waits ? execution_for(invocation, act::Sleep{pause}, act::ThenLook{{}})
                            : execution_for(invocation, act::Snapshot{}));
  ExecuteRequest request = request_for(invocation, std::move(execution));
  request.ask_screen_size = afterwards.format == act::TreeFormat::compact;
  return dispatch(invocation, std::move(request));
}

}  // namespace

JsonObject screen_after(const Invocation& invocation, const std::string& device_id,
                        const std::optional<Afterwards>& afterwards) {
  JsonObject told;
  if (!afterwards || !afterwards->shown) return told;
  Invocation other = invocation;
  other.stamp = act::Stamp::now();
  stay_on(&other.globals.target, device_id);
  other.globals.timeout_ms.reset();  // it was of what was done
  auto result = look_after_pause(other, *afterwards);
  if (result) show_afterwards(*result, *afterwards);
  const StepResult* step = result ? snapshot_step(result->envelope) : nullptr;
  if (step) {
    act::tell_step(told, *step);
    return told;
  }
  const std::string why =
      result ? act::failure_message(result->envelope) : result.error().message();
  told.text("warn", "the screen could not be read: " + why);
  if (result && result->envelope.hint) told.text("hint", *result->envelope.hint);
  return told;
}

namespace {

// One look decides for an app before 0.10, which would take the first of several. It cannot for
// what is scrolled to, nor in a container.
bool can_be_looked_for(const act::Action& action) {
  const auto* read = std::get_if<act::ReadText>(&action);
  return !std::holds_alternative<act::ScrollUntil>(action) && !(read && read->container);
}

// The request is for the action as it is planned with `then`.
Result<ExecuteResult> dispatch_alone(Invocation invocation, const act::Action& action,
                                     const ExecuteRequest& request,
                                     std::optional<act::ThenLook> then) {
  auto result = dispatch(invocation, request);
  const bool is_too_old = !result && act::is_too_old_to_be_strict(result.error());
  if (!is_too_old || !can_be_looked_for(action)) return result;
  TRY(const Look now, look(&invocation));
  if (auto alone = act::check_alone(now.screen, act::wanted_node(action)); !alone) {
    now.keep();  // the error tells refs
    return std::unexpected(std::move(alone).error());
  }
  ExecuteRequest again = request;
  again.target = invocation.globals.target;
  TRY(again.execution, execution_for(invocation, act::as_strict(action, false), then));
  mark_seen_passwords(invocation, again.execution);
  return dispatch(invocation, std::move(again));
}

// Which nodes fit, as they are on the screen now.
void tell_several(Invocation invocation, const ExecuteResult& result, const act::Action& action,
                  JsonObject* more) {
  if (!act::is_ambiguous(result.envelope)) return;
  invocation.secrets = result.secrets;
  stay_on(&invocation.globals.target, result.device_id);
  const auto now = look(&invocation);
  if (!now) return;
  now->keep();
  more->append(act::tell_several(now->screen, act::wanted_node(action)));
}

void tell_miss(const Invocation& invocation, const ExecuteResult& result, const act::Action& action,
               JsonObject* more) {
  if (!act::is_miss(result.envelope)) return;
  const auto seen = act::tree_shown_last(snapshot_store(), own_name(result));
  Invocation same = invocation;
  same.secrets = result.secrets;
  TargetOptions& target = same.globals.target;
  stay_on(&target, result.device_id);
  const auto now = look(&same);
  if (!now) return;
  now->keep();
  const NodeMatcher wanted = act::wanted_node(action);
  const auto told = run_task(act::tell_whole_miss(
      &now->screen, &wanted, seen ? main_package(*seen) : "",
      [&target](std::string package) { return find_recent_crash(target, std::move(package)); }));
  if (told) more->object("miss", *told);
}

}  // namespace

Result<Answer> run_action(const Invocation& invocation, const act::Action& action,
                          JsonObject more) {
  TRY(auto afterwards, read_afterwards(invocation.arguments));
  // Without a tree the phone's own shell does it, and pictures tell the effect.
  const bool shown = afterwards && afterwards->shown;
  const Backend backend = act::backend_of(action, invocation.globals.backend, shown);
  const bool by_itself = !invocation.globals.backend && backend == Backend::shell;
  // An app is stopped before any snapshot of its plan.
  const bool has_no_before = by_itself || std::holds_alternative<act::CloseApp>(action);
  if (afterwards && has_no_before) afterwards->look.before = false;
  const bool looks = afterwards && afterwards->looks();
  const auto then = looks ? std::optional(afterwards->look) : std::nullopt;
  TRY(auto execution, execution_for(invocation, action, then));
  mark_seen_passwords(invocation, execution);
  if (auto answer = answer_without_device(invocation.arguments, execution)) return *answer;
  ExecuteRequest request = request_for(invocation, std::move(execution));
  request.backend = backend;
  request.shown = act::shown_of(action);
  if (afterwards) request.verify = afterwards->verify;
  request.ask_screen_size = afterwards && afterwards->format == act::TreeFormat::compact;
  TRY(ExecuteResult result, act::is_strict(action)
                                ? dispatch_alone(invocation, action, request, then)
                                : dispatch(invocation, std::move(request)));
  auto before = act::take_unseen(result.envelope, act::kBeforeStep);
  const bool counts = more.empty() && !act::tells_matches(result.envelope);
  more.append(act::tell_target(before ? &*before : nullptr,
                               shown ? snapshot_step(result.envelope) : nullptr, action, counts));
  if (shown) show_afterwards(result, *afterwards);
  std::optional<act::Effect> effect;
  if (afterwards && afterwards->verify)
    effect = act::effect_of(result, *afterwards->verify, before);
  if (effect) effect->tell(more);
  if (!shown) act::take_unseen(result.envelope, act::kLookStep);
  if (shown || invocation.globals.output == OutputMode::brief) {
    tell_miss(invocation, result, action, &more);
  }
  if (act::is_strict(action)) tell_several(invocation, result, action, &more);
  Answer answer = answer_for(invocation, result, more.empty() ? "" : more.str());
  if (effect && !effect->holds()) answer.exit_code = 1;
  return answer;
}

}  // namespace clawperator::cli
