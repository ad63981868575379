#include "runtime/serve/service.hpp"

#include <catch2/catch.hpp>

#include "support/run_task.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::serve;

namespace {

std::uint64_t next_id(Loop& loop, EventHub& hub, std::uint64_t seen) {
  return loop.run(hub.next(seen)).value()->id;
}

}  // namespace

TEST_CASE("event hub: ids count from one; a waiting reader gets the next", "[loopback]") {
  Loop loop;
  EventHub hub(loop.executor());
  CHECK(hub.newest() == 0);
  const auto first = loop.start(hub.next(0));
  const auto other = loop.start(hub.next(0));
  loop.settle();
  CHECK_FALSE(first->done());
  hub.publish("a", "{}");
  const auto event = loop.finish(first);
  REQUIRE(event);
  CHECK((*event)->id == 1);
  CHECK((*event)->name == "a");
  CHECK(loop.finish(other) == event);
  CHECK(hub.newest() == 1);
}

TEST_CASE("event hub: what is held is walked through in order", "[loopback]") {
  Loop loop;
  EventHub hub(loop.executor());
  for (int i = 0; i < 300; ++i) hub.publish("a", std::to_string(i));
  // 256 of them are held: a slow reader finds a gap.
  CHECK(next_id(loop, hub, 0) == 45);
  CHECK(next_id(loop, hub, 45) == 46);
  CHECK(next_id(loop, hub, 299) == 300);
  CHECK(loop.run(hub.next(299)).value()->data == "299");
}

TEST_CASE("event hub: what is held is bounded in bytes, but for the newest", "[loopback]") {
  Loop loop;
  EventHub hub(loop.executor());
  const std::string large(EventHub::kHeldBytes / 2, 'x');
  for (int i = 0; i < 3; ++i) hub.publish("a", large);
  CHECK(next_id(loop, hub, 0) == 2);
  hub.publish("a", std::string(EventHub::kHeldBytes + 1, 'x'));
  CHECK(next_id(loop, hub, 0) == 4);
}

TEST_CASE("event hub: an id of an earlier server means everything", "[loopback]") {
  Loop loop;
  EventHub hub(loop.executor());
  hub.publish("a", "{}");
  CHECK(next_id(loop, hub, 7) == 1);
}

TEST_CASE("event hub: a reader that is cancelled waits no more", "[loopback]") {
  Loop loop;
  EventHub hub(loop.executor());
  const auto waiting = loop.start(hub.next(0));
  loop.settle();
  waiting->cancel();
  loop.settle();
  REQUIRE(waiting->done());
  hub.publish("a", "{}");
}

TEST_CASE("event hub: what a reader has missed is known, but of another start", "[loopback][B11]") {
  Loop loop;
  EventHub hub(loop.executor(), 1000);
  CHECK(hub.newest() == 1000);
  CHECK_FALSE(hub.gap_after(0));
  CHECK_FALSE(hub.gap_after(1000));
  for (std::size_t i = 0; i < EventHub::kHeld + 5; ++i) hub.publish("a", "{}");
  CHECK_FALSE(hub.gap_after(1005));
  CHECK(hub.gap_after(1004)->resume == 1005);
  CHECK(hub.gap_after(1004)->missed == 1);
  CHECK_FALSE(hub.gap_after(999)->missed);
  CHECK_FALSE(hub.gap_after(hub.newest() + 1)->missed);
}
