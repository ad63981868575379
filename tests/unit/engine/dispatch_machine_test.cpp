#include "runtime/engine/dispatch_machine.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/dispatch_monitor.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;

namespace {

using Event = DispatchEvent;
using State = DispatchState;
using Act = DispatchAction;
using End = DispatchEnd;

constexpr DispatchRules kRules{
    .log_returns = true, .limit = 7s, .link_return = 5s, .longest_receipt = 60s};
constexpr DispatchSigns kSilent{};
constexpr DispatchSigns kQueued{.silent = false};
constexpr DispatchSigns kStarted{.silent = false, .started = true};
constexpr DispatchSigns kAnswered{.silent = false, .started = true, .records = 1, .answered = true};

DispatchMachine::Time at(std::chrono::milliseconds time) { return DispatchMachine::Time(time); }

DispatchMachine after(std::initializer_list<Event> events, const DispatchRules& rules = kRules,
                      const DispatchSigns& signs = kSilent) {
  DispatchMachine machine(rules);
  for (const Event event : events) machine.on(event, signs, at(0ms));
  return machine;
}

// A column of the table below.
struct Column {
  char name;
  State state;
  std::vector<Event> path;
};

const std::vector<Column>& columns() {
  using enum DispatchEvent;
  static const std::vector<Column> kColumns = {
      {'r', State::ready, {}},
      {'s', State::sending, {begin}},
      {'S', State::sent, {begin, broadcast_opened}},
      {'l', State::log_gone, {begin, log_ended}},
      {'k', State::link_gone, {begin, link_lost}},
      {'f', State::refused, {begin, broadcast_refused}},
      {'a', State::absent, {begin, operator_missing}},
      {'v', State::service_gone, {begin, envelope_without_service}},
      {'d', State::reading, {begin, envelope}},
      {'o', State::over, {begin, envelope, snapshots_read}},
  };
  return kColumns;
}

struct TableLine {
  Event event;
  std::string_view next;  // the state that each column's state becomes; '.': it stays
};

// Of a plan that acts, whose log returns over another link, while the log is silent.
constexpr TableLine kTable[] = {
    //                                rsSlkfavdo
    {Event::begin, /*             */ "s........."},
    {Event::broadcast_opened, /*  */ ".S.o..o..."},
    {Event::broadcast_sent, /*    */ ".S.o..o..."},
    {Event::broadcast_held_back, /**/ ".rrr..r..."},
    {Event::broadcast_too_long, /**/ ".ooo..o..."},
    {Event::broadcast_refused, /* */ ".fff..o..."},
    {Event::broadcast_failed, /*  */ ".ooo..o..."},
    {Event::link_lost, /*         */ ".kk......."},
    {Event::operator_found, /*    */ ".....o...."},
    {Event::operator_missing, /*  */ ".ao.oo...."},
    {Event::trusted_silence, /*   */ ".........."},
    {Event::patience_over, /*     */ "...oooo..."},
    {Event::deadline, /*          */ ".oooooo..."},
    {Event::envelope, /*          */ ".dddddd..."},
    {Event::envelope_without_service, ".vvvvvv..."},
    {Event::envelope_unfit, /*    */ ".oooooo..."},
    {Event::log_ended, /*         */ ".lo.o..d.."},
    {Event::log_broken, /*        */ ".oooooo..."},
    {Event::result_lost, /*       */ ".oooooo..."},
    {Event::service_back, /*      */ ".......r.."},
    {Event::service_stays, /*     */ ".......d.."},
    {Event::snapshots_read, /*    */ "........o."},
    {Event::snapshots_lost, /*    */ "........o."},
    {Event::cancelled, /*         */ "ooooooooo."},
};
static_assert(std::size(kTable) == kDispatchEvents);

State named(char name) {
  for (const Column& column : columns()) {
    if (column.name == name) return column.state;
  }
  FAIL("no such state");
  return {};
}

}  // namespace

TEST_CASE("dispatch: every state and every event") {
  for (const TableLine& line : kTable) {
    for (std::size_t i = 0; i < columns().size(); ++i) {
      const Column& column = columns()[i];
      DispatchMachine machine(kRules);
      for (const Event event : column.path) machine.on(event, kSilent, at(0ms));
      REQUIRE((machine.state() == column.state));
      const Act action = machine.on(line.event, kSilent, at(1ms));
      INFO("event " << int(line.event) << " in " << column.name);
      const bool stays = line.next[i] == '.';
      CHECK((machine.state() == (stays ? column.state : named(line.next[i]))));
      if (machine.state() != column.state) {
        CHECK(includes(action, Act::finish) == (machine.state() == State::over));
      } else {
        CHECK(((action == Act::none) || (action == Act::ask_operator)));
      }
    }
  }
}

namespace {

struct DispatchStory {
  std::vector<Event> events;
  End end;
  bool may_have_left = true;
  bool may_be_running = false;  // who comes next waits
  DispatchSigns signs = kSilent;
};

}  // namespace

TEST_CASE("dispatch: what each story ends as") {
  using enum DispatchEvent;
  const std::vector<DispatchStory> stories = {
      {{begin, broadcast_sent, envelope, snapshots_read}, End::answered},
      {{begin, broadcast_failed, envelope}, End::broadcast_failed, true, true},
      {{begin, envelope, broadcast_failed, snapshots_read}, End::answered},
      // A large result is here and still being read when the way to the phone fails, or time is up.
      {{begin, broadcast_failed, envelope, snapshots_read}, End::answered, true, false, kAnswered},
      {{begin, link_lost, envelope, snapshots_read}, End::answered, true, false, kAnswered},
      {{begin, broadcast_sent, deadline, envelope, snapshots_read},
       End::answered,
       true,
       false,
       kAnswered},
      {{cancelled}, End::cancelled, false},
      {{begin, cancelled}, End::cancelled, true, true},
      {{begin, broadcast_held_back, cancelled}, End::cancelled, false},
      {{begin, broadcast_too_long}, End::too_long, false},
      {{begin, broadcast_held_back, begin, broadcast_too_long}, End::too_long, false},
      // A phone that shows the command in its log, or that has said so before, proves nothing.
      {{begin, broadcast_held_back}, End::broadcast_failed, true, true, kQueued},
      {{begin, broadcast_held_back, begin, broadcast_held_back}, End::broadcast_failed, true, true},
      {{begin, deadline}, End::timed_out, true, true},
      {{begin, link_lost, patience_over}, End::broadcast_failed, true, true},
      {{begin, link_lost, patience_over, deadline}, End::timed_out, true, true, kStarted},
      {{begin, log_ended, patience_over}, End::log_ended, true, true},
      {{begin, log_ended, broadcast_opened}, End::log_ended, true, true},
      {{begin, log_broken}, End::log_broken},
      {{begin, envelope_unfit}, End::answer_unfit},
      {{begin, broadcast_refused, log_ended, operator_found}, End::broadcast_refused},
      {{begin, broadcast_refused, operator_missing}, End::operator_absent},
      {{begin, operator_found, broadcast_refused}, End::broadcast_refused},
      {{begin, operator_missing, patience_over}, End::operator_absent},
      {{begin, operator_missing, patience_over, deadline}, End::timed_out, true, true, kQueued},
      {{begin, operator_missing, broadcast_sent, envelope, snapshots_read},
       End::answered,
       true,
       false,
       kQueued},
      {{begin, broadcast_sent, operator_missing, deadline}, End::timed_out, true, true, kQueued},
      // Refused before it began, once.
      {{begin, envelope_without_service, service_back, begin, envelope, snapshots_read},
       End::answered},
      {{begin, envelope_without_service, service_back, begin, envelope_without_service,
        snapshots_read},
       End::answered},
      {{begin, envelope_without_service, service_back, cancelled}, End::cancelled},
      {{begin, envelope_without_service, service_back, snapshots_read},
       End::answered,
       true,
       false,
       kStarted},
  };
  for (std::size_t i = 0; i < stories.size(); ++i) {
    INFO("story " << i);
    DispatchMachine machine(kRules);
    for (const Event event : stories[i].events) machine.on(event, stories[i].signs, at(0ms));
    REQUIRE((machine.state() == State::over));
    CHECK((machine.end() == stories[i].end));
    CHECK(machine.may_have_left() == stories[i].may_have_left);
    CHECK(machine.may_be_running() == stories[i].may_be_running);
  }
}

TEST_CASE("dispatch: without a log that returns a lost link is the end") {
  DispatchRules rules = kRules;
  rules.log_returns = false;
  const auto machine = after({Event::begin, Event::broadcast_opened, Event::link_lost}, rules);
  CHECK((machine.state() == State::over));
  CHECK((machine.end() == End::broadcast_failed));
}

TEST_CASE("dispatch: only a plan that looks is dispatched again for a lost result, once") {
  using enum DispatchEvent;
  const Event lost = GENERATE(result_lost, snapshots_lost);
  DispatchRules rules = kRules;
  rules.only_looks = GENERATE(false, true);
  rules.may_repeat = GENERATE(false, true);
  const auto lose = [&](DispatchMachine& machine) {
    machine.on(begin, kSilent, at(0ms));
    if (lost == snapshots_lost) machine.on(envelope, kSilent, at(0ms));
    return machine.on(lost, kSilent, at(0ms));
  };
  DispatchMachine machine(rules);
  const bool again = rules.only_looks && rules.may_repeat;
  CHECK((lose(machine) == (again ? Act::dispatch_again : Act::finish)));
  if (again) CHECK((lose(machine) == Act::finish));
}

TEST_CASE("dispatch: a trusted Operator is checked once it has been silent for 500 ms") {
  DispatchRules rules = kRules;
  rules.trusts_operator = true;
  DispatchMachine machine(rules);
  CHECK((machine.on(Event::begin, kSilent, at(1000ms)) == Act::broadcast));
  REQUIRE(machine.next_alarm());
  CHECK((machine.next_alarm()->event == Event::trusted_silence));
  CHECK((machine.next_alarm()->at == at(1500ms)));
  const bool began = GENERATE(false, true);
  const Act action = machine.on(Event::trusted_silence, began ? kStarted : kSilent, at(1500ms));
  CHECK((action == (began ? Act::none : Act::ask_operator)));
  CHECK((machine.next_alarm()->event == Event::deadline));
  CHECK((machine.next_alarm()->at == at(8000ms)));
}

TEST_CASE("dispatch: an Operator that is not trusted is checked at once") {
  DispatchMachine machine(kRules);
  const Act action = machine.on(Event::begin, kSilent, at(0ms));
  CHECK(includes(action, Act::broadcast));
  CHECK(includes(action, Act::ask_operator));
}

TEST_CASE("dispatch: records of a result put the deadline off, for a minute at most") {
  DispatchMachine machine(kRules);
  machine.on(Event::begin, kSilent, at(0ms));
  std::size_t records = 0;
  auto due = machine.next_alarm();
  while (due && due->at < at(7s + 60s)) {
    REQUIRE((due->event == Event::deadline));
    machine.on(due->event, {.silent = false, .records = ++records}, due->at);
    const auto next = machine.next_alarm();
    REQUIRE(next);
    CHECK((next->at - due->at == 5s));
    due = next;
  }
  REQUIRE(due);
  machine.on(due->event, {.silent = false, .records = ++records}, due->at);
  CHECK((machine.state() == State::over));
  CHECK((machine.end() == End::timed_out));
}

TEST_CASE("dispatch: a sign is waited for for a second, a lost link for six") {
  const auto patience = [](std::initializer_list<Event> events) {
    return after(events).next_alarm();
  };
  for (const Event event : {Event::log_ended, Event::broadcast_refused, Event::operator_missing}) {
    const auto alarm = patience({Event::begin, event});
    REQUIRE(alarm);
    CHECK((alarm->event == Event::patience_over));
    CHECK((alarm->at == at(1s)));
  }
  CHECK((patience({Event::begin, Event::link_lost})->at == at(6s)));
}

namespace {

constexpr DispatchSigns kSigns[] = {
    kSilent, kQueued, {.silent = false, .started = true, .records = 1}};

// With nothing but the clock, whatever it waits for ends.
bool ends_by_time(DispatchMonitor monitor) {
  auto now = at(0ms);
  for (int i = 0; i < 8; ++i) {
    const auto alarm = monitor.machine().next_alarm();
    if (!alarm) return true;
    now = std::max(now, alarm->at);
    if (monitor.on(alarm->event, kSilent, now)) return false;
  }
  return false;
}

}  // namespace

// Whatever comes in whichever order, a phone that lies and a clock that stands included. What is
// equal has the same future, so each is followed once.
TEST_CASE("dispatch: all interleavings of eight events keep what must hold") {
  const auto [only_looks, may_repeat, trusts_operator, log_returns] =
      GENERATE(table<bool, bool, bool, bool>({{false, true, false, false},
                                              {false, true, true, true},
                                              {true, true, false, true},
                                              {true, false, true, false}}));
  DispatchRules rules = kRules;
  rules.only_looks = only_looks;
  rules.may_repeat = may_repeat;
  rules.trusts_operator = trusts_operator;
  rules.log_returns = log_returns;
  std::set<DispatchMonitor> latest{DispatchMonitor(rules)};
  std::set<DispatchMonitor> seen = latest;
  for (int depth = 0; depth < 8; ++depth) {
    std::set<DispatchMonitor> next;
    for (const DispatchMonitor& before : latest) {
      for (std::size_t event = 0; event < kDispatchEvents; ++event) {
        for (const DispatchSigns& signs : kSigns) {
          DispatchMonitor monitor = before;
          const char* broken = monitor.on(Event(event), signs, at(0ms));
          if (broken) FAIL(broken << ", event " << event << " at depth " << depth);
          if (seen.insert(monitor).second) next.insert(monitor);
        }
      }
      if (!ends_by_time(before)) FAIL("does not end by time");
    }
    latest = std::move(next);
  }
  CHECK(seen.size() > 100);
}
