#include "runtime/engine/shell_backend/shell_run.hpp"

#include <algorithm>

#include "base/async/signal.hpp"
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
  // A cancelled sleep ends early, and not as if the time were over.
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
  for (const ShellAction& action : *actions_) {
    last_ = &action;
    const std::string_view name = action_name(action.type);
    tell_({"start", name, action.id});
    auto done = co_await step(&action);
    if (!done && given_up_) {
      tell_({"failure", name, given_up_->why});
      co_return abandoned();
    }
    if (!done) co_return std::unexpected(std::move(done).error());
    const bool waits = action.type == ActionType::take_screenshot;  // for its picture
    if (!waits) tell_({done->success ? "success" : "failure", name, action.id});
    envelope.step_results.push_back(*std::move(done));
  }
  co_return envelope;
}

Task<StepResult> ShellRun::step(const ShellAction* action) {
  CO_TRY_VOID(check_time());
  switch (action->type) {
    case ActionType::open_app: co_return co_await open_app(action);
    case ActionType::open_uri: co_return co_await open_uri(action);
    case ActionType::close_app: co_return co_await close_app(action);
    case ActionType::wait_for_node: co_return co_await wait_for_node(action);
    case ActionType::click: co_return co_await click(action);
    case ActionType::scroll_and_click: co_return co_await scroll_and_click(action);
    case ActionType::scroll: co_return co_await scroll(action);
    case ActionType::scroll_until: co_return co_await scroll_until(action);
    case ActionType::read_text: co_return co_await read_text(action);
    case ActionType::enter_text: co_return co_await enter_text(action);
    case ActionType::snapshot_ui: co_return co_await snapshot(action);
    case ActionType::sleep: co_return co_await sleep(action);
    case ActionType::press_key: co_return co_await press_key(action);
    case ActionType::wait_for_navigation: co_return co_await wait_for_navigation(action);
    case ActionType::read_key_value_pair: co_return co_await read_value(action);
    case ActionType::take_screenshot: {
      StepResult waits = step_done(*action, {});
      waits.success = false;  // until there is a picture
      co_return waits;
    }
    default: break;  // refused before
  }
  co_return give_up("unsupported action");
}

Task<StepResult> ShellRun::open_app(const ShellAction* action) {
  CO_TRY(const auto launcher, co_await hand_->find_launcher(action->application_id));
  if (!launcher.component && !launcher.is_unknown) {
    co_return give_up("No launch intent found for package: " + action->application_id);
  }
  CO_TRY(const auto answer,
         co_await hand_->start(launcher.component ? launch_words(*launcher.component)
                                                  : launch_package_words(action->application_id)));
  if (answer.outcome == StartOutcome::unresolved) {
    co_return give_up("No launch intent found for package: " + action->application_id);
  }
  if (answer.outcome == StartOutcome::shown || answer.outcome == StartOutcome::started) {
    co_return step_done(*action, opened("application_id", action->application_id, answer.outcome));
  }
  co_return give_up("Could not open " + action->application_id + ": " + answer.said);
}

Task<StepResult> ShellRun::open_uri(const ShellAction* action) {
  CO_TRY(const auto answer, co_await hand_->start(view_words(action->uri)));
  if (answer.outcome == StartOutcome::unresolved) {
    co_return give_up("URI_NOT_HANDLED: no application is registered for " + action->uri);
  }
  if (answer.outcome == StartOutcome::refused) {
    co_return give_up("Could not open " + action->uri + ": " + answer.said);
  }
  co_return step_done(*action, opened("uri", action->uri, answer.outcome));
}

Task<StepResult> ShellRun::close_app(const ShellAction* action) {
  CO_TRY(const bool is_gone, co_await hand_->stop(action->application_id));
  StepData data{{"application_id", action->application_id}};
  if (is_gone) co_return step_done(*action, std::move(data));
  data.emplace_back("message", "it was told to stop, and a process of it is there all the same");
  co_return step_failed(*action, "APP_STILL_RUNNING", std::move(data));
}

Task<StepResult> ShellRun::press_key(const ShellAction* action) {
  CO_TRY_VOID(co_await hand_->press_key(action->key));
  co_return step_done(*action, {{"key", std::string(name_of_key(action->key))}});
}

Task<StepResult> ShellRun::sleep(const ShellAction* action) {
  CO_TRY_VOID(co_await pause(action->duration));
  co_return step_done(*action, {{"duration_ms", std::to_string(action->duration.count())}});
}

Task<StepResult> ShellRun::snapshot(const ShellAction* action) {
  CO_TRY(Seen seen, co_await see());
  if (!seen) co_return step_failed(*action, kNoTree, {{"message", seen.error()}});
  StepData data{{"actual_format", "hierarchy_xml"}};
  const auto& nodes = seen->tree.nodes;
  if (!nodes.empty()) data.emplace_back("foreground_package", nodes.front().package);
  data.emplace_back("text", std::move(seen->xml));
  co_return step_done(*action, std::move(data));
}

}  // namespace clawperator
