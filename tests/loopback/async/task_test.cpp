#include "base/async/task.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

Task<int> after(Clock::duration delay, int value) {
  co_await sleep_for(delay);
  co_return value;
}

Task<int> never(Signal* signal, int* unwound) {
  const std::shared_ptr<int> guard(unwound, [](int* count) { ++*count; });
  for (;;) co_await signal->wait();
}

}  // namespace

TEST_CASE("task: an hour of manual time passes at once", "[loopback]") {
  ManualTime time;
  Loop loop;
  CHECK(time.run(loop, after(1h, 7), 10min) == 7);
  CHECK(time.elapsed() == 1h);
}

TEST_CASE("deadline: what is done in time gives its result", "[loopback]") {
  ManualTime time;
  Loop loop;
  CHECK(time.run(loop, with_deadline(after(900ms, 7), 1000ms, "work")) == 7);
}

TEST_CASE("deadline: what is late is unwound and named", "[loopback]") {
  ManualTime time;
  Loop loop;
  Signal signal(loop.executor());
  int unwound = 0;
  const auto late = time.run(loop, with_deadline(never(&signal, &unwound), 1500ms, "work"));
  REQUIRE_FALSE(late);
  CHECK(late.error() == Error(errc::deadline_exceeded, "work took longer than 1500 ms"));
  CHECK(unwound == 1);
}

TEST_CASE("deadline: being cancelled is not being late", "[loopback]") {
  ManualTime time;
  Loop loop;
  Signal signal(loop.executor());
  int unwound = 0;
  auto work = loop.start(with_deadline(never(&signal, &unwound), 1500ms, "work"));
  loop.settle();
  work->cancel();
  const auto end = time.finish(loop, work);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::cancelled);
  CHECK(unwound == 1);
  CHECK(time.elapsed() == 0ms);
}

TEST_CASE("scope: a loop may end while its coroutines own the scope", "[loopback]") {
  struct Owner {
    explicit Owner(const asio::any_io_executor& executor) : signal(executor), scope(executor) {}
    Signal signal;
    Scope scope;
  };
  int unwound = 0;
  {
    Loop loop;
    const auto owner = std::make_shared<Owner>(loop.executor());
    const auto work = [](std::shared_ptr<Owner> kept, int* count) -> asio::awaitable<void> {
      [[maybe_unused]] const auto end = co_await never(&kept->signal, count);
    };
    for (int i = 0; i < 2; ++i) owner->scope.spawn(work(owner, &unwound));
    loop.settle();
  }
  CHECK(unwound == 2);
}

TEST_CASE("scope: cancelling it ends all of its coroutines, and joining waits for them",
          "[loopback]") {
  Loop loop;
  Signal signal(loop.executor());
  int unwound = 0;
  Scope scope(loop.executor());
  const auto work = [](Signal* on, int* count) -> asio::awaitable<void> {
    [[maybe_unused]] const auto end = co_await never(on, count);
  };
  for (int i = 0; i < 3; ++i) scope.spawn(work(&signal, &unwound));
  loop.settle();
  CHECK(scope.size() == 3);
  const auto join = [](Scope* joined) -> Task<void> {
    joined->cancel();
    co_await joined->join();
    co_return ok();
  };
  CHECK(loop.run(join(&scope)));
  CHECK(unwound == 3);
  CHECK(scope.size() == 0);
}
