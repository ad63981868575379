#include "base/async/blocking.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <latch>
#include <thread>

#include "support/run_task.hpp"

using namespace adbproto;
using adbproto::testing::Loop;

namespace {

struct Gate {
  std::latch begun{1};
  std::latch may_end{1};
  std::atomic<bool> ended = false;
};

// Work that ends when the gate opens.
Task<int> work_behind(Gate* gate) {
  co_return co_await run_blocking([gate]() -> Result<int> {
    gate->begun.count_down();
    gate->may_end.wait();
    gate->ended = true;
    return 1;
  });
}

}  // namespace

TEST_CASE("blocking: work runs on another thread, its result comes back to the loop") {
  Loop loop;
  const auto here = std::this_thread::get_id();
  const auto there = loop.run([]() -> Task<std::thread::id> {
    co_return co_await run_blocking(
        []() -> Result<std::thread::id> { return std::this_thread::get_id(); });
  }());
  REQUIRE(there);
  CHECK(*there != here);
}

TEST_CASE("blocking: an error of the work is the caller's") {
  const auto failed = Loop().run([]() -> Task<void> {
    co_return co_await run_blocking(
        []() -> Result<void> { return fail(errc::io, "disk on fire"); });
  }());
  REQUIRE_FALSE(failed);
  CHECK(failed.error() == Error(errc::io, "disk on fire"));
}

TEST_CASE("blocking: the loop goes on meanwhile") {
  Loop loop;
  Gate gate;
  const auto started = loop.start(work_behind(&gate));
  loop.settle();
  gate.begun.wait();
  CHECK(loop.run([]() -> Task<int> { co_return 7; }()).value() == 7);
  gate.may_end.count_down();
  CHECK(loop.finish(started).value() == 1);
}

TEST_CASE("blocking: a cancelled caller goes on when the work has ended, not before") {
  Loop loop;
  Gate gate;
  const auto started = loop.start(work_behind(&gate));
  loop.settle();
  gate.begun.wait();
  started->cancel();
  loop.settle();
  CHECK_FALSE(started->done());
  gate.may_end.count_down();
  // Cancellation comes as an exception or as an error, whichever is seen first.
  try {
    [[maybe_unused]] const auto result = loop.finish(started);
  } catch (const std::exception&) {
  }
  CHECK(gate.ended);
}

TEST_CASE("blocking: cancelling before a thread has taken the work is no race") {
  for (int round = 0; round < 50; ++round) {
    Loop loop;
    Gate gate;
    gate.may_end.count_down();
    const auto started = loop.start(work_behind(&gate));
    loop.settle();
    started->cancel();
    try {
      [[maybe_unused]] const auto result = loop.finish(started);
    } catch (const std::exception&) {
    }
    CHECK(gate.ended);
  }
}

TEST_CASE("blocking: a loop that goes waits for work that has begun") {
  Gate gate;
  std::thread opener;
  {
    Loop loop;
    const auto started = loop.start(work_behind(&gate));
    loop.settle();
    gate.begun.wait();
    opener = std::thread([&] { gate.may_end.count_down(); });
  }
  CHECK(gate.ended);
  opener.join();
}
