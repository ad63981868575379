#pragma once
// What holds for every dispatch, whatever comes in whichever order: watches a DispatchMachine from
// outside, by its events and actions alone. For tests and the fuzz target.

#include <vector>

#include "runtime/engine/dispatch_machine.hpp"

namespace clawperator::testing {

class DispatchMonitor {
 public:
  explicit DispatchMonitor(DispatchRules rules) : rules_(rules), machine_(rules) {}

  // What is broken; nullptr: nothing.
  const char* on(DispatchEvent event, const DispatchSigns& signs, DispatchMachine::Time now) {
    const bool was_waiting = machine_.is_waiting();
    const DispatchAction action = machine_.on(event, signs, now);
    if (was_waiting) note_end(event, signs);
    if (finished_ && action != DispatchAction::none) return "an action after the outcome";
    finished_ = finished_ || includes(action, DispatchAction::finish);
    if (finished_ != (machine_.state() == DispatchState::over)) return "an end without an outcome";
    if (includes(action, DispatchAction::dispatch_again)) {
      if (const char* broken = judge_repetition(event, signs)) return broken;
    }
    if (includes(action, DispatchAction::broadcast)) {
      if (event != DispatchEvent::begin) return "a broadcast that nothing began";
      ++ordered_;
      ended_ = false;
    }
    return judge();
  }

  [[nodiscard]] const DispatchMachine& machine() const { return machine_; }
  auto operator<=>(const DispatchMonitor&) const = default;

 private:
  // A broadcast that its sender, or the phone's shell before it, proved to have stayed here.
  void note_end(DispatchEvent event, const DispatchSigns& signs) {
    const bool ends = event >= DispatchEvent::broadcast_sent && event <= DispatchEvent::link_lost;
    if (!ends || ended_) return;
    ended_ = true;
    const bool is_proof = event == DispatchEvent::broadcast_too_long ||
                          (event == DispatchEvent::broadcast_held_back && signs.silent);
    if (is_proof) ++kept_;
  }

  const char* judge_repetition(DispatchEvent event, const DispatchSigns& signs) {
    if (!rules_.may_repeat) return "dispatched again, though it must not be";
    const bool by_service = event == DispatchEvent::service_back && !signs.started;
    const bool is_lost =
        event == DispatchEvent::result_lost || event == DispatchEvent::snapshots_lost;
    if (!by_service && !(rules_.only_looks && is_lost)) return "dispatched again without a reason";
    return ++repetitions_ > (rules_.only_looks ? 2 : 1) ? "dispatched too often" : nullptr;
  }

  [[nodiscard]] const char* judge() const {
    if (!machine_.may_have_left() && ordered_ > kept_) return "not sent, of what may have left";
    if (machine_.may_be_running() && ordered_ == 0) return "runs before anything was sent";
    if (machine_.is_waiting() && !machine_.may_have_left()) return "waits for nothing";
    if (machine_.is_waiting() != machine_.next_alarm().has_value()) return "waits without an end";
    return nullptr;
  }

  DispatchRules rules_;
  DispatchMachine machine_;
  int ordered_ = 0, kept_ = 0, repetitions_ = 0;
  bool ended_ = true, finished_ = false;
};

}  // namespace clawperator::testing
