#include "base/async/first_success.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

// Ends after `delay`; its name is its end, a failure where that begins with '!'.
Task<std::string> way(std::chrono::milliseconds delay, std::string name) {
  co_await sleep_for(delay);
  if (name.starts_with('!')) co_return fail(errc::io, name);
  co_return name;
}

template <class... Each>
std::vector<Task<std::string>> ways(Each... each) {
  std::vector<Task<std::string>> made;
  (made.push_back(std::move(each)), ...);
  return made;
}

struct Bench {
  ManualTime time;
  Loop loop;

  Result<std::string> run(std::vector<Task<std::string>> all) {
    return time.run(loop, first_success(std::move(all), 250ms), 10ms);
  }
};

}  // namespace

TEST_CASE("first success: the first way alone where it answers in time", "[loopback]") {
  Bench at;
  CHECK(at.run(ways(way(200ms, "one"), way(0ms, "two"))) == "one");
  CHECK(at.time.elapsed() == 200ms);
}

TEST_CASE("first success: a silent way holds up the next one for a head start only", "[loopback]") {
  Bench at;
  CHECK(at.run(ways(way(1h, "one"), way(1h, "two"), way(20ms, "three"))) == "three");
  CHECK(at.time.elapsed() == 520ms);
}

TEST_CASE("first success: a failed way delays no other", "[loopback]") {
  Bench at;
  CHECK(at.run(ways(way(0ms, "!one"), way(10ms, "!two"), way(10ms, "three"))) == "three");
  CHECK(at.time.elapsed() == 20ms);
}

TEST_CASE("first success: a slow way may still win", "[loopback]") {
  Bench at;
  CHECK(at.run(ways(way(400ms, "one"), way(1h, "two"))) == "one");
  CHECK(at.time.elapsed() == 400ms);
}

TEST_CASE("first success: where every way fails the last failure is reported", "[loopback]") {
  Bench at;
  const auto failed = at.run(ways(way(10ms, "!one"), way(20ms, "!two")));
  REQUIRE_FALSE(failed);
  CHECK(failed.error() == Error(errc::io, "!two"));
  CHECK(at.time.elapsed() == 30ms);
}

TEST_CASE("first success: it can be cancelled", "[loopback]") {
  Bench at;
  auto trying = at.loop.start(first_success(ways(way(1h, "one"), way(1h, "two")), 250ms));
  at.time.advance(at.loop, 1s);
  trying->cancel();
  at.loop.settle();
  CHECK(trying->done());
}
