#pragma once
// Runs one action after the other against the world, as the app's action engine does.
//
// Every action is a Routine: straight-line code with pauses. An exception of the app is a Failure
// and ends the plan; a failed step is a StepResult.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/command.hpp"
#include "simdroid/operator/device_facts.hpp"
#include "simdroid/operator/log_record.hpp"
#include "simdroid/operator/recording.hpp"
#include "simdroid/operator/routine.hpp"
#include "simdroid/operator/step_result.hpp"

namespace simdroid {

// The context of a runner; all pointers outlive it. `log` stamps and stores a message.
struct ActionContext {
  UiWorld* world = nullptr;
  const DeviceFacts* facts = nullptr;
  Recorder* recorder = nullptr;
  Jitter* jitter = nullptr;
  Timeline* timeline = nullptr;
  const Latencies* latencies = nullptr;
  std::string_view package;
  const Capabilities* can = nullptr;
  std::string command_id{};
  std::function<void(LogKind, char priority, std::string message)> log;
};

class ActionRunner {
 public:
  explicit ActionRunner(ActionContext context) : c_(std::move(context)) {}

  // `action` must outlive the routine.
  Routine<Outcome> run(const DeviceAction* action);
  // The step that ended the plan, as newer apps report it: thrown, or interrupted by the timeout.
  [[nodiscard]] StepResult thrown(const DeviceAction& action, const Failure& failure) const;

 private:
  // The results of an action so far.
  struct Receipt {
    Time began;
    std::string target;
    std::size_t candidates = 0;
    std::string_view method = "none";
    bool accepted = false;
    std::optional<Point> coordinate;
    std::string progress;
  };
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

  Routine<Outcome> perform(const DeviceAction* action);
  // receipt.cpp
  [[nodiscard]] StepData receipt(const DeviceAction& action) const;
  void dispatched(std::string_view method, bool accepted, std::optional<Point> at = {});
  void aims_at(const View& view);
  [[nodiscard]] std::string progress_json(const std::string& before) const;
  [[nodiscard]] std::string signature() const;
  // locate.cpp
  [[nodiscard]] const View& tree() const;  // on_screen_only(), kept until the screen changes
  [[nodiscard]] Attempt<std::vector<const View*>> candidates(const DeviceAction& action) const;
  // The first of them; with `strict` the only one.
  Attempt<const View*> locate(const DeviceAction& action);
  [[nodiscard]] std::unexpected<Failure> strict_failure(
      const std::string& code, std::string message, const std::vector<const View*>& found) const;
  // action_apps.cpp
  Routine<Outcome> open_app(const DeviceAction* action);
  Routine<Outcome> wait_until_in_front(const DeviceAction* action);
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
  [[nodiscard]] std::vector<const View*> scroll_targets(const DeviceAction& action) const;
  [[nodiscard]] const char* outcome_name(const ScrollOnce& once) const;

  // One operation with the app's retries: `attempt` sees the tree as it is at that moment.
  Routine<Attempt<std::string>> with_retry(const Retry* retry, std::string operation,
                                           std::function<Attempt<std::string>()> attempt);
  Duration retry_delay(const Retry& retry, int attempt);
  Timeline::Pause pause(Duration length) { return c_.timeline->pause(length); }
  Timeline::Pause cost(const Cost& cost) { return pause(c_.jitter->draw(cost)); }
  void stage(std::string_view what, std::string_view operation, std::string_view rest = {});

  ActionContext c_;
  Receipt receipt_;
  mutable View tree_;
  mutable std::uint64_t tree_revision_ = 0;
};

}  // namespace simdroid
