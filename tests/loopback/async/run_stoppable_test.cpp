#include "base/async/run_stoppable.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <latch>
#include <mutex>

#include "support/run_task.hpp"

using namespace adbproto;
using adbproto::testing::Loop;

TEST_CASE("stoppable: the result comes back, without a request to stop") {
  const auto result = Loop().run([]() -> Task<bool> {
    co_return co_await run_stoppable(
        [](std::stop_token stop) -> Result<bool> { return stop.stop_requested(); });
  }());
  REQUIRE(result);
  CHECK_FALSE(*result);
}

TEST_CASE("stoppable: an error of the work is the caller's") {
  const auto result = Loop().run([]() -> Task<int> {
    co_return co_await run_stoppable(
        [](std::stop_token) -> Result<int> { return fail(errc::io, "gone"); });
  }());
  REQUIRE_FALSE(result);
  CHECK(result.error() == Error(errc::io, "gone"));
}

TEST_CASE("stoppable: work whose caller is cancelled gets the request to stop and is awaited") {
  Loop loop;
  std::latch begun(1);
  std::atomic<bool> ended = false;
  const auto work = [](std::latch* began, std::atomic<bool>* end) -> Task<int> {
    co_return co_await run_stoppable([began, end](std::stop_token stop) -> Result<int> {
      std::mutex mutex;
      std::condition_variable_any wake;
      began->count_down();
      std::unique_lock lock(mutex);
      wake.wait(lock, stop, [] { return false; });
      *end = true;
      return fail(errc::cancelled, "stop was requested");
    });
  };
  const auto started = loop.start(work(&begun, &ended));
  loop.settle();
  begun.wait();
  started->cancel();
  Result<int> result = 0;
  try {
    result = loop.finish(started);
  } catch (const std::system_error&) {
    result = fail(errc::cancelled, "unwound");
  }
  CHECK(ended);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::cancelled);
}
