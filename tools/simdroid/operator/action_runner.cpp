#include "simdroid/operator/action_runner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace simdroid {

StepResult succeeded(const DeviceAction& action, StepData data) {
  return {action.id, std::string(action_name(action.kind)), true, std::move(data)};
}

StepResult failed_step(const DeviceAction& action, std::string error, StepData more) {
  more.emplace_back("error", std::move(error));
  return {action.id, std::string(action_name(action.kind)), false, std::move(more)};
}

void merge(StepData& data, StepData more) {
  for (auto& [key, value] : more) {
    const auto old = std::ranges::find(data, key, &StepData::value_type::first);
    if (old == data.end()) {
      data.emplace_back(std::move(key), std::move(value));
    } else {
      old->second = std::move(value);
    }
  }
}

std::string point_json(Point point) {
  return R"({"x":)" + std::to_string(point.x) + R"(,"y":)" + std::to_string(point.y) + "}";
}

std::string decimal(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value));
  std::string out(text.data(), end.ptr);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string milliseconds_text(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

std::string_view click_name(Click click) {
  return click == Click::click ? "click" : click == Click::focus ? "focus" : "long_click";
}

std::string_view direction_name(Direction direction) {
  constexpr std::array<std::string_view, 4> names{"down", "up", "left", "right"};
  return names[static_cast<std::size_t>(direction)];
}

Routine<Outcome> ActionRunner::run(const DeviceAction* action) {
  receipt_ = {};
  receipt_.began = c_.timeline->now();
  co_await cost(c_.latencies->between_steps);
  Outcome outcome = co_await perform(action);
  if (!outcome && outcome.error().returned) {
    const Failure& failure = outcome.error();
    outcome = failed_step(*action, failure.code, failure.details);
  }
  if (!outcome) co_return outcome;
  StepData& data = outcome->data;
  if (c_.can->typed_failures && !outcome->success) {
    const auto is = [&](const char* key) {
      return std::ranges::find(data, key, &StepData::value_type::first);
    };
    if (is("errorCode") == data.end()) data.emplace_back("errorCode", is("error")->second);
  }
  merge(data, receipt(*action));
  co_return outcome;
}

StepResult ActionRunner::thrown(const DeviceAction& action, const Failure& failure) const {
  StepData data = failure.details;
  data.emplace_back("errorCode", failure.code);
  StepResult step = failed_step(action, failure.reason, std::move(data));
  merge(step.data, receipt(action));
  return step;
}

Routine<Outcome> ActionRunner::perform(const DeviceAction* action) {
  switch (action->kind) {
    case ActionKind::open_app: co_return co_await open_app(action);
    case ActionKind::open_uri: co_return co_await open_uri(action);
    case ActionKind::close_app: co_return close_app(*action);
    case ActionKind::start_recording: co_return start_recording(*action);
    case ActionKind::stop_recording: co_return stop_recording(*action);
    case ActionKind::wait_for_node: co_return co_await wait_for_node(action);
    case ActionKind::click: co_return co_await click(action);
    case ActionKind::scroll_and_click: co_return co_await scroll_and_click(action);
    case ActionKind::scroll: co_return co_await scroll(action);
    case ActionKind::scroll_until: co_return co_await scroll_until(action);
    case ActionKind::read_text: co_return co_await read_text(action);
    case ActionKind::enter_text: co_return co_await enter_text(action);
    case ActionKind::snapshot_ui: co_return co_await snapshot(action);
    case ActionKind::take_screenshot: co_return take_screenshot(*action);
    case ActionKind::sleep: co_return co_await sleep(action);
    case ActionKind::press_key: co_return co_await press_key(action);
    case ActionKind::wait_for_navigation: co_return co_await wait_for_navigation(action);
    case ActionKind::read_key_value_pair: co_return co_await read_key_value_pair(action);
    case ActionKind::doctor_ping: co_return doctor_ping(*action);
  }
  co_return give_up("unsupported action");
}

void ActionRunner::stage(std::string_view what, std::string_view operation, std::string_view rest) {
  std::string message(what);
  (message += " id=") += operation;
  if (!rest.empty()) (message += ' ') += rest;
  c_.log(LogKind::progress, what == "stage-failure" ? 'E' : 'D', std::move(message));
}

Duration ActionRunner::retry_delay(const Retry& retry, int attempt) {
  const auto initial = static_cast<double>(retry.initial_delay.count());
  const auto most = static_cast<double>(std::max(retry.max_delay, retry.initial_delay).count());
  const double plain = std::min(most, initial * std::pow(retry.multiplier, attempt - 1));
  const double jitter = plain * retry.jitter_ratio * (2 * c_.jitter->unit() - 1);
  return Duration(static_cast<Duration::rep>(std::max(0.0, plain + jitter)));
}

Routine<Attempt<std::string>> ActionRunner::with_retry(
    const Retry* retry, std::string operation, std::function<Attempt<std::string>()> attempt) {
  stage("stage-start", operation, "label=" + operation);
  for (int number = 1;; ++number) {
    co_await cost(c_.latencies->accessibility);
    c_.world->advance(c_.timeline->now());
    Attempt<std::string> result = attempt();
    if (result) {
      stage("stage-success", operation, "data={attempt=" + std::to_string(number) + "}");
      co_return result;
    }
    if (number >= retry->max_attempts) {
      stage("stage-failure", operation, "reason=" + result.error().reason);
      co_return result;
    }
    const Duration delay = retry_delay(*retry, number);
    stage("stage-retry", operation,
          "attempt=" + std::to_string(number) + "/" + std::to_string(retry->max_attempts) +
              " delayMs=" + milliseconds_text(delay));
    co_await pause(delay);
  }
}

}  // namespace simdroid
