#include "runtime/engine/dispatch_machine.hpp"

#include <algorithm>

namespace clawperator {
namespace {

// How long an app that is trusted to be there may be silent before the package manager is queried.
constexpr auto kTrustedSilence = std::chrono::milliseconds(500);
// The time for a dispatch to show that it left, and for a refused one to be explained.
constexpr auto kSettleLimit = std::chrono::seconds(1);

constexpr DispatchState operator|(DispatchState one, DispatchState other) {
  return DispatchState(std::uint16_t(one) | std::uint16_t(other));
}
constexpr DispatchAction operator|(DispatchAction one, DispatchAction other) {
  return DispatchAction(std::uint8_t(one) | std::uint8_t(other));
}
constexpr bool contains(DispatchState states, DispatchState state) {
  return (std::uint16_t(states) & std::uint16_t(state)) != 0;
}

}  // namespace

enum class DispatchMachine::When : std::uint8_t {
  always,
  trusts_operator,
  operator_is_there,
  operator_is_missing,
  log_returns,
  is_silent,
  has_started,
  has_not_started,
  comes_in,           // records of the result came since the last deadline, or all are here
  has_answer,         // the whole result is here
  may_hold_back,      // for the first time, and no line of the log names the command
  may_await_service,  // for the first time, and nothing else was repeated
  may_look_again,     // for the first time, and the plan changes nothing
};

struct DispatchMachine::Row {
  State from;
  Event event;
  When when;
  State to;
  Act act = Act::none;
  End end{};  // of `over`
};

namespace {

constexpr DispatchState kWaiting = DispatchState::sending | DispatchState::sent |
                                   DispatchState::log_gone | DispatchState::link_gone |
                                   DispatchState::refused | DispatchState::absent;
constexpr DispatchState kUnanswered =
    DispatchState::sending | DispatchState::sent | DispatchState::link_gone | DispatchState::absent;
constexpr DispatchState kAlive =
    kWaiting | DispatchState::ready | DispatchState::service_gone | DispatchState::reading;
constexpr DispatchState kStays{};

}  // namespace

// The first row that fits decides. An event without a row changes nothing.
// clang-format off
struct DispatchMachine::Table {
  static constexpr Row kRows[] = {
    {State::ready, Event::begin, When::trusts_operator, State::sending, Act::broadcast},
    {State::ready, Event::begin, When::always, State::sending, Act::broadcast | Act::ask_operator},

    // The broadcast.
    {State::sending, Event::broadcast_opened, When::always, State::sent},
    {State::sending, Event::broadcast_sent, When::always, State::sent},
    {State::log_gone, Event::broadcast_opened, When::always, State::over, Act::finish, End::log_ended},
    {State::log_gone, Event::broadcast_sent, When::always, State::over, Act::finish, End::log_ended},
    {State::absent, Event::broadcast_opened, When::is_silent, State::over, Act::finish, End::operator_absent},
    {State::absent, Event::broadcast_opened, When::always, State::sent},
    {State::absent, Event::broadcast_sent, When::is_silent, State::over, Act::finish, End::operator_absent},
    {State::absent, Event::broadcast_sent, When::always, State::sent},
    // The phone's shell proves that nothing was sent. A phone whose log shows the command all the
    // same is not believed.
    {kWaiting, Event::broadcast_held_back, When::may_hold_back, State::ready, Act::look_first},
    {kWaiting, Event::broadcast_held_back, When::always, State::over, Act::finish, End::broadcast_failed},
    {kWaiting, Event::broadcast_too_long, When::always, State::over, Act::finish, End::too_long},
    // A missing Operator is a better explanation than the device's error about it.
    {kWaiting, Event::broadcast_refused, When::operator_is_missing, State::over, Act::finish, End::operator_absent},
    {kWaiting, Event::broadcast_refused, When::operator_is_there, State::over, Act::finish, End::broadcast_refused},
    {kWaiting, Event::broadcast_refused, When::always, State::refused, Act::ask_operator},
    {State::sending | State::sent, Event::link_lost, When::log_returns, State::link_gone},
    {State::absent | State::log_gone, Event::link_lost, When::log_returns, kStays},
    {State::log_gone, Event::link_lost, When::always, State::over, Act::finish, End::log_ended},
    {State::log_gone, Event::broadcast_failed, When::always, State::over, Act::finish, End::log_ended},
    // The result arrived before the end of the broadcast: it is read in any case.
    {kUnanswered, Event::link_lost, When::has_answer, State::sent},
    {kUnanswered, Event::broadcast_failed, When::has_answer, State::sent},
    {kUnanswered, Event::link_lost, When::always, State::over, Act::finish, End::broadcast_failed},
    {kUnanswered, Event::broadcast_failed, When::always, State::over, Act::finish, End::broadcast_failed},

    // The Operator. An app that has logged the command is there, whatever the package manager
    // reported.
    {State::refused, Event::operator_found, When::always, State::over, Act::finish, End::broadcast_refused},
    {State::refused, Event::operator_missing, When::always, State::over, Act::finish, End::operator_absent},
    {State::sending, Event::operator_missing, When::always, State::absent},
    {State::sent | State::link_gone, Event::operator_missing, When::is_silent, State::over, Act::finish, End::operator_absent},

    // Time.
    {kWaiting, Event::trusted_silence, When::has_started, kStays},
    {kWaiting, Event::trusted_silence, When::always, kStays, Act::ask_operator},
    {State::log_gone, Event::patience_over, When::always, State::over, Act::finish, End::log_ended},
    {State::link_gone, Event::patience_over, When::has_started, State::sent},
    {State::link_gone, Event::patience_over, When::always, State::over, Act::finish, End::broadcast_failed},
    {State::refused, Event::patience_over, When::always, State::over, Act::finish, End::broadcast_refused},
    {State::absent, Event::patience_over, When::is_silent, State::over, Act::finish, End::operator_absent},
    {State::absent, Event::patience_over, When::always, State::sent},
    {State::log_gone, Event::deadline, When::always, State::over, Act::finish, End::log_ended},
    {State::refused, Event::deadline, When::always, State::over, Act::finish, End::broadcast_refused},
    {kUnanswered, Event::deadline, When::comes_in, kStays},
    {kUnanswered, Event::deadline, When::always, State::over, Act::finish, End::timed_out},

    // The log. An envelope that arrived counts, however the broadcast ends.
    {kWaiting, Event::envelope, When::always, State::reading, Act::read_snapshots},
    {kWaiting, Event::envelope_without_service, When::may_await_service, State::service_gone, Act::await_service},
    {kWaiting, Event::envelope_without_service, When::always, State::reading, Act::read_snapshots},
    {kWaiting, Event::envelope_unfit, When::always, State::over, Act::finish, End::answer_unfit},
    {kWaiting, Event::result_lost, When::may_look_again, State::ready, Act::dispatch_again},
    {kWaiting, Event::result_lost, When::always, State::over, Act::finish, End::log_broken},
    {kWaiting, Event::log_broken, When::always, State::over, Act::finish, End::log_broken},
    {State::sending, Event::log_ended, When::always, State::log_gone},
    {State::sent | State::link_gone, Event::log_ended, When::always, State::over, Act::finish, End::log_ended},
    {State::absent, Event::log_ended, When::is_silent, kStays},
    {State::absent, Event::log_ended, When::always, State::over, Act::finish, End::log_ended},

    // The app checks its service before it does anything. If it had started, its answer stands.
    {State::service_gone, Event::service_back, When::has_not_started, State::ready, Act::dispatch_again},
    {State::service_gone, Event::service_back, When::always, State::reading, Act::read_snapshots},
    {State::service_gone, Event::service_stays, When::always, State::reading, Act::read_snapshots},
    {State::service_gone, Event::log_ended, When::always, State::reading, Act::read_snapshots},
    {State::reading, Event::snapshots_lost, When::may_look_again, State::ready, Act::dispatch_again},
    {State::reading, Event::snapshots_lost, When::always, State::over, Act::finish, End::answered},
    {State::reading, Event::snapshots_read, When::always, State::over, Act::finish, End::answered},

    {kAlive, Event::cancelled, When::always, State::over, Act::finish, End::cancelled},
  };
};
// clang-format on

namespace {

bool ends_broadcast(DispatchEvent event) {
  return event >= DispatchEvent::broadcast_sent && event <= DispatchEvent::link_lost;
}

// The app has finished the command, or never got it.
bool is_known_to_rest(DispatchState to, DispatchEnd end) {
  if (to != DispatchState::over) return !contains(kWaiting, to) || to == DispatchState::refused;
  return end != DispatchEnd::cancelled && end != DispatchEnd::log_ended &&
         end != DispatchEnd::broadcast_failed && end != DispatchEnd::timed_out;
}

}  // namespace

bool DispatchMachine::holds(When when, const DispatchSigns& signs, Time now) const {
  switch (when) {
    case When::always: return true;
    case When::trusts_operator: return rules_.trusts_operator;
    case When::operator_is_there: return operator_ == Presence::there;
    case When::operator_is_missing: return operator_ == Presence::missing;
    case When::log_returns: return rules_.log_returns;
    case When::is_silent: return signs.silent;
    case When::has_started: return signs.started;
    case When::has_not_started: return !signs.started;
    case When::comes_in:
      return (signs.records > records_ || signs.answered) && now - limit_ < rules_.longest_receipt;
    case When::has_answer: return signs.answered;
    case When::may_hold_back: return signs.silent && !held_back_;
    case When::may_await_service: return rules_.may_repeat && sent_ == 1;
    case When::may_look_again: return rules_.may_repeat && rules_.only_looks && !looked_again_;
  }
  return false;
}

DispatchAction DispatchMachine::on(Event event, const DispatchSigns& signs, Time now) {
  if (event == Event::operator_found) operator_ = Presence::there;
  if (event == Event::operator_missing) operator_ = Presence::missing;
  if (event == Event::trusted_silence) trusted_silence_.reset();
  if (ends_broadcast(event) && std::exchange(broadcast_ended_, true)) return Act::none;
  const auto* row = std::ranges::find_if(Table::kRows, [&](const Row& at) {
    return contains(at.from, state_) && at.event == event && holds(at.when, signs, now);
  });
  if (row == std::end(Table::kRows)) return Act::none;
  enter(*row, signs, now);
  return row->act;
}

void DispatchMachine::enter(const Row& row, const DispatchSigns& signs, Time now) {
  if (row.event == Event::begin) begin(now);
  if (row.event == Event::deadline) {
    records_ = signs.records;
    deadline_ = now + rules_.link_return;
  }
  if (row.to == kStays) return;
  const bool was_kept = row.act == Act::look_first || row.end == End::too_long;
  if (was_kept) --sent_;
  held_back_ = held_back_ || row.act == Act::look_first;
  const bool lost = row.event == Event::result_lost || row.event == Event::snapshots_lost;
  looked_again_ = looked_again_ || (lost && row.act == Act::dispatch_again);
  state_ = row.to;
  end_ = row.end;
  patience_.reset();
  const bool settles = contains(State::log_gone | State::refused | State::absent, state_);
  if (settles) patience_ = now + kSettleLimit;
  if (state_ == State::link_gone) patience_ = now + rules_.link_return + kSettleLimit;
  if (is_known_to_rest(state_, end_)) running_ = false;
}

void DispatchMachine::begin(Time now) {
  ++sent_;
  running_ = true;
  broadcast_ended_ = false;
  records_ = 0;
  limit_ = now + rules_.limit;
  deadline_ = limit_;
  trusted_silence_.reset();
  if (rules_.trusts_operator) {
    trusted_silence_ = now + std::min<base::Clock::duration>(kTrustedSilence, rules_.limit);
  }
}

bool DispatchMachine::is_waiting() const { return contains(kWaiting, state_); }

std::optional<DispatchMachine::Alarm> DispatchMachine::next_alarm() const {
  if (!is_waiting()) return std::nullopt;
  Alarm next{Event::deadline, *deadline_};
  if (trusted_silence_ && *trusted_silence_ <= next.at) {
    next = {Event::trusted_silence, *trusted_silence_};
  }
  if (patience_ && *patience_ <= next.at) next = {Event::patience_over, *patience_};
  return next;
}

}  // namespace clawperator
