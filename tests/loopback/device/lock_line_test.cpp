#include "runtime/device/lock_line.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/system/errc.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

using Wait = std::shared_ptr<Started<LockLines::Turn>>;

struct Street {
  Wait come(const std::string& command, std::chrono::milliseconds patience,
            std::uint64_t arrival = 0, bool gives_way = false) {
    auto wait = loop.start(lines.wait_for({"SERIAL", "phone-1", command, patience,
                                           arrival == 0 ? lines.arrive() : arrival, gives_way}));
    loop.settle();
    return wait;
  }
  LockLines::Turn turn_of(const Wait& wait) {
    auto turn = time.finish(loop, wait, 10ms);
    REQUIRE(turn);
    return *std::move(turn);
  }
  json refusal_of(const Wait& wait) {
    const auto turn = time.finish(loop, wait, 10ms);
    REQUIRE_FALSE(turn);
    CHECK(turn.error().code() == errc::execution_conflict_in_flight);
    return json::parse(turn.error().members())["details"];
  }

  ManualTime time;
  TempFolder folder;
  Variable runtime{"XDG_RUNTIME_DIR", folder.path().string()};
  Variable locks{"CLAWPERATOR_LOCK_DIR", folder.path().string()};
  Loop loop;
  LockLines lines{loop.executor()};
};

}  // namespace

TEST_CASE("lock line: without patience a busy device is refused at once", "[loopback]") {
  Street of;
  const auto first = of.turn_of(of.come("a", 0ms));
  const auto second = of.come("b", 0ms);
  REQUIRE(second->done());
  const json details = of.refusal_of(second);
  CHECK(details["commandId"] == "a");  // the holder's
  CHECK_FALSE(details.contains("position"));
}

TEST_CASE("lock line: first come, first served", "[loopback]") {
  Street of;
  std::optional<LockLines::Turn> turn = of.turn_of(of.come("a", 0ms));
  const Wait second = of.come("b", 10s);
  const Wait third = of.come("c", 10s);
  CHECK_FALSE(second->done());
  turn.reset();
  of.loop.settle();
  REQUIRE(second->done());
  CHECK_FALSE(third->done());
  turn = of.turn_of(second);
  SECTION("and a caller without patience does not overtake the waiting ones") {
    CHECK(of.come("d", 0ms)->done());
  }
  turn.reset();
  of.loop.settle();
  CHECK(third->done());
}

TEST_CASE("lock line: an earlier arrival that comes to the line later goes first", "[loopback]") {
  Street of;
  const auto early = of.lines.arrive();
  std::optional<LockLines::Turn> turn = of.turn_of(of.come("a", 0ms));
  const Wait late = of.come("c", 10s);
  const Wait first = of.come("b", 10s, early);
  turn.reset();
  of.loop.settle();
  CHECK(first->done());
  CHECK_FALSE(late->done());
}

TEST_CASE("lock line: at the end of the patience the error has the place and the time",
          "[loopback]") {
  Street of;
  const auto turn = of.turn_of(of.come("a", 0ms));
  const Wait second = of.come("b", 1000ms);
  const Wait third = of.come("c", 500ms);
  const json details = of.refusal_of(third);
  CHECK(details["position"] == 2);
  CHECK(details["waitedMs"] == 500);
  CHECK(of.refusal_of(second)["position"] == 1);
}

TEST_CASE("lock line: another process's lock is tried for, and is one ahead", "[loopback]") {
  Street of;
  std::optional held = DeviceLock::acquire("SERIAL", "phone-1", "other");
  REQUIRE(*held);
  const Wait first = of.come("a", 300ms);
  const Wait second = of.come("b", 10s);
  CHECK(of.refusal_of(first)["position"] == 1);
  held.reset();
  CHECK_NOTHROW(of.turn_of(second));
}

TEST_CASE("lock line: a cancelled caller leaves the line at once", "[loopback]") {
  Street of;
  std::optional<LockLines::Turn> turn = of.turn_of(of.come("a", 0ms));
  const Wait second = of.come("b", 10s);
  const Wait third = of.come("c", 400ms);
  second->cancel();
  of.loop.settle();
  CHECK(second->done());
  CHECK(of.refusal_of(third)["position"] == 1);
}

TEST_CASE("lock line: it has a bound", "[loopback]") {
  Street of;
  std::optional<LockLines::Turn> turn = of.turn_of(of.come("a", 0ms));
  std::vector<Wait> waiting;
  waiting.reserve(LockLines::kMaxWaiting);
  for (std::size_t i = 0; i < LockLines::kMaxWaiting; ++i) {
    waiting.push_back(of.come("w" + std::to_string(i), 1s));
  }
  const Wait beyond = of.come("z", 1s);
  REQUIRE(beyond->done());
  CHECK(of.refusal_of(beyond)["waiting"] == 32);
  CHECK_FALSE(waiting.back()->done());
  for (const Wait& wait : waiting) of.refusal_of(wait);
}

TEST_CASE("lock line: closed, it sends away who waits and serves who need not", "[loopback]") {
  Street of;
  std::optional<LockLines::Turn> turn = of.turn_of(of.come("a", 0ms));
  const Wait second = of.come("b", 10s);
  of.lines.close();
  of.loop.settle();
  REQUIRE(second->done());
  CHECK(second->result().error().code() == errc::cancelled);
  const Wait third = of.come("c", 10s);
  REQUIRE(third->done());
  CHECK(third->result().error().code() == errc::cancelled);
  turn.reset();
  CHECK_NOTHROW(of.turn_of(of.come("d", 0ms)));
}

TEST_CASE("lock line: devices wait for themselves only", "[loopback]") {
  Street of;
  const auto turn = of.turn_of(of.come("a", 0ms));
  const auto other = of.loop.run(of.lines.wait_for({"OTHER", "phone-2", "b", 0ms, 0}));
  CHECK(other);
}

TEST_CASE("lock line: because of a reading that gives way no command fails", "[loopback]") {
  Street of;
  std::optional<LockLines::Turn> reading = of.turn_of(of.come("reading", 0ms, 0, true));
  const Wait second = of.come("second reading", 0ms, 0, true);
  REQUIRE(second->done());
  CHECK_FALSE(second->result());
  const Wait command = of.come("command", 0ms);
  CHECK_FALSE(command->done());
  const Wait other = of.come("other command", 0ms);
  REQUIRE(other->done());
  CHECK_FALSE(other->result());
  reading.reset();
  CHECK_NOTHROW(of.turn_of(command));
}

TEST_CASE("lock line: a reading that never ends is not waited for for ever", "[loopback]") {
  Street of;
  const auto reading = of.turn_of(of.come("reading", 0ms, 0, true));
  const Wait command = of.come("command", 0ms);
  CHECK_FALSE(command->done());
  CHECK(of.refusal_of(command)["waitedMs"] == 15000);
}
