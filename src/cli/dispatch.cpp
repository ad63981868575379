#include "cli/dispatch.hpp"

#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "cli/argument_checks.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/carry_out.hpp"
#include "runtime/act/executors.hpp"
#include "runtime/act/result.hpp"
#include "runtime/daemon/client.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator::cli {
namespace {

Result<std::optional<std::size_t>> read_nth(const Arguments& arguments, const Action* action) {
  const std::string* text = arguments.value("--nth");
  if (!text) return std::nullopt;
  const auto nth = whole_number<int>(*text);
  if (!nth || *nth < 1 || *nth > act::kMostNth) {
    return fail(errc::usage, "--nth must be a whole number from 1 on");
  }
  const auto* click = action ? action->as<Click>() : nullptr;
  if (arguments.has("--ref") || (click && click->coordinate)) {
    return fail(errc::usage, "--nth counts the nodes of a selector");
  }
  return static_cast<std::size_t>(*nth);
}

}  // namespace

Result<act::Request> request_for(const Invocation& invocation,
                                 std::variant<Action, act::Payload> what) {
  const Globals& globals = invocation.globals;
  const Arguments& arguments = invocation.arguments;
  TRY(const auto screen, read_screen_options(arguments));
  TRY(const auto nth, read_nth(arguments, std::get_if<Action>(&what)));
  TRY(const auto patience,
      whole_option(arguments, "--patience", 0, static_cast<int>(kLongestPatience.count())));
  act::Request request{.what = std::move(what), .how = {}, .seen = seen_screens()};
  request.how.target = globals.target;
  request.how.operator_package = operator_package(globals);
  request.how.broadcast_action = broadcast_action(globals);
  request.how.lock_patience = globals.lock_patience;
  request.how.timings = globals.timings;
  request.how.traceparent = parse_traceparent(environment_variable("TRACEPARENT").value_or(""));
  request.how.on_warning = [](std::string_view warning) {
    print_warning("[clawperator] WARN: " + std::string(warning));
  };
  request.backend = globals.backend;
  request.timeout_ms = globals.timeout_ms;
  request.stamp = invocation.stamp;
  if (const std::string* ref = arguments.value("--ref")) request.ref = *ref;
  request.nth = nth;
  if (patience) request.patience = std::chrono::milliseconds(*patience);
  request.short_ids = act::ShortIds::shown;
  request.explains_miss = globals.output == OutputMode::brief;
  request.verify = screen.verify;
  if (!screen.observe) return request;
  request.observe = screen.observe;
  request.how.ask_screen_size = screen.observe->format == act::TreeFormat::compact;
  request.explains_miss = true;
  return request;
}

void with_executor(const Globals& globals, const std::function<void(Executor*)>& work) {
  EventLog log(log_options(globals));
  warn_of_runtime_folders();
  act::OwnExecutor here(&log);
  daemon::DaemonOrHere executor(&here,
                                daemon::has_socket() ? daemon_surface(globals) : std::nullopt);
  work(&executor);
}

act::Outcome perform(const Globals& globals, act::Request request, PerformRequest perform_request) {
  std::optional<act::Outcome> outcome;
  std::optional<Error> thrown;
  with_executor(globals, [&](Executor* executor) {
    auto performing = perform_request(executor, std::move(request));
    thrown = run_to_the_end(base::parallel::keep(std::move(performing), &outcome));
  });
  if (!thrown) return *std::move(outcome);
  outcome.emplace();
  outcome->result = std::unexpected(*std::move(thrown));
  return *std::move(outcome);
}

Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view beside) {
  const Globals& globals = invocation.globals;
  const std::string more = result.secrets.masked_json(beside);
  Answer answer;
  const act::Beside wanted{globals.timings, more};
  answer.json = globals.output == OutputMode::brief ? act::brief_json(result, wanted)
                                                    : act::result_json(result, wanted);
  answer.exit_code = succeeded(result.envelope) ? 0 : 1;
  if (globals.output == OutputMode::pretty) {
    answer.text = envelope_for_people(result.envelope, result.device_id);
    if (!more.empty()) answer.text += indent_json(more) + "\n";
    if (globals.timings) answer.text += timings_for_people(result.timings);
  }
  return answer;
}

Answer answer_for(const Invocation& invocation, const act::Outcome& outcome) {
  const JsonObject more = outcome.beside();
  Answer answer = answer_for(invocation, *outcome.result, more.empty() ? "" : more.str());
  if (outcome.effect && !outcome.effect->holds()) answer.exit_code = 1;
  return answer;
}

Result<std::optional<Answer>> answer_without_device(const Arguments& arguments,
                                                    const act::Request& request) {
  const bool plans = arguments.has("--dry-run");
  if (!plans && !arguments.has("--validate-only")) return std::nullopt;
  TRY(Execution execution, act::plan_of(request));
  act::mark_seen_passwords(request, execution);
  return Answer{plans ? act::planned_json(execution) : act::validated_json(execution), {}, {}, 0};
}

Result<Answer> run_action(const Invocation& invocation, Action action) {
  TRY(act::Request request, request_for(invocation, std::move(action)));
  TRY(auto planned, answer_without_device(invocation.arguments, request));
  if (planned) return *std::move(planned);
  const act::Outcome outcome = perform(invocation.globals, std::move(request));
  if (!outcome.result) return std::unexpected(outcome.result.error());
  return answer_for(invocation, outcome);
}

JsonObject screen_after(const Invocation& invocation, const std::string& device_id,
                        const ScreenOptions& screen) {
  JsonObject members;
  if (!screen.observe) return members;
  Invocation after = invocation;
  stay_on(&after.globals.target, device_id);
  auto request = request_for(after, Snapshot{});
  if (!request) return members;
  request->stamp = act::Stamp::now();
  // The verification has already waited for the screen.
  if (screen.verify) request->observe->settle = {};
  const act::Outcome outcome = perform(after.globals, *std::move(request), act::observe_screen);
  Envelope envelope = outcome.result ? outcome.result->envelope : Envelope{};
  if (const StepResult* step = snapshot_step(envelope)) {
    act::write_step(members, *step);
    return members;
  }
  const std::string why =
      outcome.result ? act::failure_message(envelope) : outcome.result.error().message();
  members.text("warn", "the screen could not be read: " + why);
  if (envelope.hint) members.text("hint", *envelope.hint);
  return members;
}

}  // namespace clawperator::cli
