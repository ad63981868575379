#include "base/async/signal.hpp"

#include <catch2/catch.hpp>

#include "support/run_task.hpp"

using namespace adbproto;
using adbproto::testing::Loop;

namespace {

Task<bool> wait_for(Signal* signal, const bool* holds) {
  const bool held = co_await wait_until(signal, [holds] { return *holds; });
  co_return held;
}

Task<void> wait_for_nothing() {
  co_await until_cancelled();
  co_return ok();
}

}  // namespace

TEST_CASE("until: a condition that holds is not waited for, another one from signal to signal") {
  Loop loop;
  Signal signal(loop.executor());
  bool holds = true;
  CHECK(*loop.run(wait_for(&signal, &holds)));
  holds = false;
  const auto waiting = loop.start(wait_for(&signal, &holds));
  loop.settle();
  signal.notify_all();
  loop.settle();
  CHECK_FALSE(waiting->done());
  holds = true;
  signal.notify_all();
  CHECK(*loop.finish(waiting));
}

TEST_CASE("until: what is cancelled ends without an exception") {
  Loop loop;
  Signal signal(loop.executor());
  const bool holds = false;
  const auto waiting = loop.start(wait_for(&signal, &holds));
  const auto never = loop.start(wait_for_nothing());
  loop.settle();
  CHECK_FALSE(never->done());
  waiting->cancel();
  never->cancel();
  CHECK_FALSE(loop.finish_throws(never));
  CHECK_FALSE(*loop.finish(waiting));
}
