#include "runtime/engine/shell_backend/shell_run.hpp"

#include <algorithm>

#include "base/async/signal.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/shell_backend/steps.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

constexpr std::string_view kNotDrawn =
    "started, but its window was not drawn when Android ceased to wait";

std::string whole_ms(double time) { return std::to_string(static_cast<std::int64_t>(time)); }

StepData opened(std::string_view name, const std::string& what, StartOutcome outcome) {
  StepData data{{std::string(name), what}};
  if (outcome == StartOutcome::started) data.emplace_back("warn", std::string(kNotDrawn));
  return data;
}

std::string_view name_of_key(int key) {
  if (key == *find_key("back")) return "back";
  return key == *find_key("home") ? "home" : "recents";
}

}  // namespace

std::unexpected<Error> ShellRun::give_up(std::string why, std::string_view code) {
  given_up_ = GivenUp{why, std::string(code)};
  return std::unexpected(Error(errc::cancelled, std::move(why)));
}

Result<void> ShellRun::check_time() {
  if (hand_->left() > milliseconds(0)) return ok();
  return give_up("Agent command timed out after " + whole_ms(execution_->timeout_ms) + "ms");
}

Task<void> ShellRun::pause(milliseconds time) {
  co_await sleep_for(std::min(time, hand_->left()));
  // A cancelled sleep ends early; that must not count as the end of its time.
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_return fail(errc::cancelled, "cancelled");
  }
  co_return check_time();
}

Task<Seen> ShellRun::see() {
  CO_TRY_VOID(check_time());
  CO_TRY(Seen seen, co_await hand_->look(true));
  if (!seen) CO_TRY_VOID(check_time());
  co_return seen;
}

Envelope ShellRun::abandoned() const {
  Envelope envelope;
  envelope.command_id = execution_->command_id;
  envelope.task_id = execution_->task_id;
  envelope.status = EnvelopeStatus::failed;
  envelope.error = given_up_->why;
  if (!given_up_->code.empty()) envelope.error_code = given_up_->code;
  return envelope;
}

Task<Envelope> ShellRun::run() {
  Envelope envelope;
  envelope.command_id = execution_->command_id;
  envelope.task_id = execution_->task_id;
  envelope.status = EnvelopeStatus::success;
  for (const Action& action : execution_->actions) {
    last_ = &action;
    const std::string_view name = action_name(action.type());
    on_stage_({"start", name, action.id});
    auto done = co_await step();
    if (!done && given_up_) {
      on_stage_({"failure", name, given_up_->why});
      co_return abandoned();
    }
    if (!done) co_return std::unexpected(std::move(done).error());
    if (!action.is<Screenshot>())  // which waits for its picture
      on_stage_({done->success ? "success" : "failure", name, action.id});
    envelope.step_results.push_back(*std::move(done));
  }
  co_return envelope;
}

StepResult ShellRun::done(StepData data) const {
  return {last_->id, std::string(action_name(last_->type())), true, std::move(data)};
}

StepResult ShellRun::failed(std::string_view error, StepData data) const {
  data.emplace_back("error", std::string(error));
  return {last_->id, std::string(action_name(last_->type())), false, std::move(data)};
}

Task<StepResult> ShellRun::step() {
  CO_TRY_VOID(check_time());
  co_return co_await std::visit([this](const auto& kind) { return carry_out(&kind); }, last_->kind);
}

Task<StepResult> ShellRun::carry_out(const Screenshot*) {
  StepResult waits = done({});
  waits.success = false;  // until there is a picture
  co_return waits;
}

Task<StepResult> ShellRun::carry_out(const OpenApp* open) {
  const std::string& app = *open->application_id;
  CO_TRY(const auto launcher, co_await hand_->find_launcher(app));
  if (!launcher.component && !launcher.is_unknown) {
    co_return give_up("No launch intent found for package: " + app);
  }
  CO_TRY(const auto answer,
         co_await hand_->start(launcher.component ? launch_words(*launcher.component)
                                                  : launch_package_words(app)));
  if (answer.outcome == StartOutcome::unresolved) {
    co_return give_up("No launch intent found for package: " + app);
  }
  if (answer.outcome == StartOutcome::shown || answer.outcome == StartOutcome::started) {
    co_return done(opened("application_id", app, answer.outcome));
  }
  co_return give_up("Could not open " + app + ": " + answer.said);
}

Task<StepResult> ShellRun::carry_out(const OpenUri* open) {
  CO_TRY(const auto answer, co_await hand_->start(view_words(*open->uri)));
  if (answer.outcome == StartOutcome::unresolved) {
    co_return give_up("URI_NOT_HANDLED: no application is registered for " + *open->uri);
  }
  if (answer.outcome == StartOutcome::refused) {
    co_return give_up("Could not open " + *open->uri + ": " + answer.said);
  }
  co_return done(opened("uri", *open->uri, answer.outcome));
}

Task<StepResult> ShellRun::carry_out(const CloseApp* close) {
  CO_TRY(const bool is_gone, co_await hand_->stop(*close->application_id));
  StepData data{{"application_id", *close->application_id}};
  if (is_gone) co_return done(std::move(data));
  data.emplace_back("message", "the app was stopped, but a process of it is still running");
  co_return failed("APP_STILL_RUNNING", std::move(data));
}

Task<StepResult> ShellRun::carry_out(const PressKey* press) {
  // `recents` is APP_SWITCH; the contract lets these three through.
  const int key = find_key(trimmed(*press->key)).value_or(0);
  CO_TRY_VOID(co_await hand_->press_key(key));
  co_return done({{"key", std::string(name_of_key(key))}});
}

Task<StepResult> ShellRun::carry_out(const Sleep* sleep) {
  const milliseconds duration = time_of(sleep->duration_ms, {}, 120000);
  CO_TRY_VOID(co_await pause(duration));
  co_return done({{"duration_ms", std::to_string(duration.count())}});
}

Task<StepResult> ShellRun::carry_out(const Snapshot*) {
  CO_TRY(Seen seen, co_await see());
  if (!seen) co_return failed(kNoTree, {{"message", seen.error()}});
  StepData data{{"actual_format", "hierarchy_xml"}};
  const auto& nodes = seen->tree.nodes;
  if (!nodes.empty()) data.emplace_back("foreground_package", nodes.front().package);
  data.emplace_back("text", std::move(seen->xml));
  co_return done(std::move(data));
}

}  // namespace clawperator
