#pragma once
// The dispatch of a plan, from the broadcast to its outcome. Pure: events in, actions out; time is
// an argument. dispatch_machine.cpp has the transitions as a table.
//
//   ready --begin--> sending --> sent --envelope--> [service_gone -->] reading --> over
//     ^                                                   |               |
//     +------- the app refused before it began -----------+               |
//     +------- the phone held the command back, nothing left ------------ |
//     +------- the log lost the result of a plan that only looks ---------+
//
// A caller must never read "not sent" of a command that may have left: an agent sends it again, and
// a payment is made twice.

#include "base/clock.hpp"
#include "runtime/engine/dispatch_event.hpp"

namespace clawperator {

// Flags: a row of the table may name several states.
enum class DispatchState : std::uint16_t {
  ready = 1 << 0,
  sending = 1 << 1,    // the broadcast is ordered; whether it left is unknown
  sent = 1 << 2,       // the device has it
  log_gone = 1 << 3,   // as `sending`; the log ended: waits for a sign that the command left
  link_gone = 1 << 4,  // the broadcast's link is lost; waits for the log to come back
  refused = 1 << 5,    // the device refused; waits for whether the Operator is there
  absent = 1 << 6,  // as `sending`; the Operator is missing: waits for a sign that the command left
  service_gone = 1 << 7,  // waits for the app's accessibility service
  reading = 1 << 8,       // the envelope is there; its snapshots are read
  over = 1 << 9,
};

enum class DispatchAction : std::uint8_t {
  none = 0,
  broadcast = 1 << 0,       // begin: send it, read the log
  ask_operator = 1 << 1,    // report operator_found or operator_missing
  await_service = 1 << 2,   // report service_back or service_stays
  read_snapshots = 1 << 3,  // report snapshots_read or snapshots_lost
  dispatch_again = 1 << 4,  // by another id, then begin
  look_first = 1 << 5,      // check the node of the ref by a snapshot, then begin
  finish = 1 << 6,
};

constexpr bool includes(DispatchAction actions, DispatchAction action) {
  return (std::uint8_t(actions) & std::uint8_t(action)) != 0;
}

enum class DispatchEnd : std::uint8_t {
  answered,
  answer_unfit,
  log_broken,
  log_ended,
  too_long,
  broadcast_refused,
  broadcast_failed,
  operator_absent,
  timed_out,
  cancelled,
};

// The time limit of each wait, and what may be done twice.
struct DispatchRules {
  bool only_looks = false;        // the plan changes nothing
  bool may_repeat = true;         // where a repetition is safe
  bool trusts_operator = false;   // found over this very link: checked only when it stays silent
  bool log_returns = false;       // the log goes on over another link
  base::Clock::duration limit{};  // for the result to begin
  base::Clock::duration link_return{};      // for a link to come back; between two records
  base::Clock::duration longest_receipt{};  // for the records of a result, behind `limit`

  auto operator<=>(const DispatchRules&) const = default;
};

class DispatchMachine {
 public:
  using Time = base::Clock::time_point;
  using State = DispatchState;
  using Event = DispatchEvent;
  using Act = DispatchAction;
  using End = DispatchEnd;

  explicit DispatchMachine(DispatchRules rules = {}) : rules_(rules) {}

  // The next action; none follows after `finish`.
  Act on(Event event, const DispatchSigns& signs, Time now);

  struct Alarm {
    Event event;
    Time at;
  };
  // The next event by time; none while the machine waits for nothing from the app.
  [[nodiscard]] std::optional<Alarm> next_alarm() const;

  [[nodiscard]] State state() const { return state_; }
  // The machine waits for the broadcast or its answer.
  [[nodiscard]] bool is_waiting() const;
  // Required: state() is over.
  [[nodiscard]] End end() const { return end_; }
  // The device may have got the command, in this dispatch or an earlier one.
  [[nodiscard]] bool may_have_left() const { return sent_ > 0; }
  // The app may still be busy with it.
  [[nodiscard]] bool may_be_running() const { return running_; }
  // The log lost a result, and the plan was dispatched again for that.
  [[nodiscard]] bool looked_again() const { return looked_again_; }

  auto operator<=>(const DispatchMachine&) const = default;

 private:
  enum class When : std::uint8_t;
  struct Row;
  struct Table;
  enum class Presence : std::uint8_t { unknown, there, missing };

  [[nodiscard]] bool holds(When when, const DispatchSigns& signs, Time now) const;
  void enter(const Row& row, const DispatchSigns& signs, Time now);
  void begin(Time now);

  DispatchRules rules_;
  State state_ = State::ready;
  End end_ = End::cancelled;
  Presence operator_ = Presence::unknown;
  int sent_ = 0;
  bool running_ = false;
  bool broadcast_ended_ = false;
  bool held_back_ = false, looked_again_ = false;  // once each
  std::size_t records_ = 0;                        // at the last deadline
  Time limit_{};                                   // when the result should have begun
  std::optional<Time> trusted_silence_, patience_, deadline_;
};

}  // namespace clawperator
