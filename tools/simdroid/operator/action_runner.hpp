#pragma once
// Runs one action after the other against the world, as the app's action engine does.
//
// Every action is a Routine: straight-line code with pauses. What the app would throw is a
// Failure and ends the plan; what it reports as a failed step is a StepResult.

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simdroid/operator/command.hpp"
#include "simdroid/operator/device_facts.hpp"
#include "simdroid/operator/log_record.hpp"
#include "simdroid/operator/recording.hpp"
#include "simdroid/operator/routine.hpp"

namespace simdroid {

using StepData = std::vector<std::pair<std::string, std::string>>;

struct StepResult {
  std::string id;
  std::string action_type;
  bool success = true;
  StepData data;
};

// The reason that the app's exception would carry.
struct Failure {
  std::string reason;
};

template <class T>
using Attempt = std::expected<T, Failure>;
using Outcome = Attempt<StepResult>;

inline std::unexpected<Failure> give_up(std::string reason) {
  return std::unexpected(Failure{std::move(reason)});
}

// What a runner works with; all pointers outlive it. `log` stamps and stores a message.
struct ActionContext {
  UiWorld* world = nullptr;
  const DeviceFacts* facts = nullptr;
  Recorder* recorder = nullptr;
  Jitter* jitter = nullptr;
  Timeline* timeline = nullptr;
  const Latencies* latencies = nullptr;
  std::string_view package;
  std::function<void(LogKind, char priority, std::string message)> log;
};

class ActionRunner {
 public:
  explicit ActionRunner(ActionContext context) : c_(std::move(context)) {}

  // `action` must outlive the routine.
  Routine<Outcome> run(const DeviceAction* action);

 private:
  struct ScrollLoop {
    std::string termination;
    int scrolls = 0;
    std::string container;
  };
  struct ScrollOnce {
    Scrolled outcome{};
    bool gesture_failed = false;
    std::string container;
  };

  // action_apps.cpp
  Routine<Outcome> open_app(const DeviceAction* action);
  Routine<Outcome> open_uri(const DeviceAction* action);
  Routine<Outcome> press_key(const DeviceAction* action);
  Routine<Outcome> sleep(const DeviceAction* action);
  Routine<Outcome> wait_for_navigation(const DeviceAction* action);
  Routine<Outcome> snapshot(const DeviceAction* action);
  Outcome close_app(const DeviceAction& action);
  Outcome take_screenshot(const DeviceAction& action);
  Outcome doctor_ping(const DeviceAction& action);
  Outcome start_recording(const DeviceAction& action);
  Outcome stop_recording(const DeviceAction& action);
  // action_nodes.cpp
  Routine<Outcome> wait_for_node(const DeviceAction* action);
  Routine<Outcome> click(const DeviceAction* action);
  Routine<Outcome> enter_text(const DeviceAction* action);
  Routine<Outcome> read_text(const DeviceAction* action);
  Routine<Outcome> read_key_value_pair(const DeviceAction* action);
  Attempt<std::string> click_once(const DeviceAction& action);
  // action_scroll.cpp
  Routine<Outcome> scroll(const DeviceAction* action);
  Routine<Outcome> scroll_until(const DeviceAction* action);
  Routine<Outcome> scroll_and_click(const DeviceAction* action);
  Routine<ScrollLoop> scroll_loop(const DeviceAction* action, int max_scrolls,
                                  Duration max_duration);
  [[nodiscard]] Attempt<const View*> container_of(const DeviceAction& action) const;
  Attempt<ScrollOnce> scroll_once(const DeviceAction& action);

  // One operation with the app's retries: `attempt` sees the tree as it is at that moment.
  Routine<Attempt<std::string>> with_retry(const Retry* retry, std::string operation,
                                           std::function<Attempt<std::string>()> attempt);
  Duration retry_delay(const Retry& retry, int attempt);
  Timeline::Pause pause(Duration length) { return c_.timeline->pause(length); }
  Timeline::Pause cost(const Cost& cost) { return pause(c_.jitter->draw(cost)); }
  void stage(std::string_view what, std::string_view operation, std::string_view rest = {});

  ActionContext c_;
};

StepResult succeeded(const DeviceAction& action, StepData data = {});
StepResult failed_step(const DeviceAction& action, std::string error, StepData more = {});
std::string decimal(double value);  // as Kotlin prints a Float: 0.7, 1.0
std::string milliseconds_text(Duration duration);
std::string_view click_name(Click click);
std::string_view direction_name(Direction direction);  // lower case

}  // namespace simdroid
