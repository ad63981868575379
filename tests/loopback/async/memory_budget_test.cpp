#include "base/async/memory_budget.hpp"

#include <catch2/catch.hpp>

#include "support/run_task.hpp"

using namespace adbproto;
using namespace adbproto::testing;

TEST_CASE("memory: without a limit everything is to be had", "[loopback]") {
  Loop loop;
  MemoryShare share(loop.executor());
  CHECK(share.take(std::size_t{1} << 40));
  CHECK(MemoryBudget::of(loop.executor()).check());
}

TEST_CASE("memory: what is held by one is not to be had by others until it is given back",
          "[loopback]") {
  Loop loop;
  auto& budget = MemoryBudget::of(loop.executor());
  budget.set_limit(100);
  MemoryShare first(loop.executor());
  REQUIRE(first.take(60));
  MemoryShare second(loop.executor());
  const auto refused = second.take(41);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::limit);
  CHECK(budget.held() == 60);
  CHECK(first.take(100));
  CHECK_FALSE(budget.check());
  CHECK(first.take(10));  // less is never refused
  CHECK(second.take(90));
  first = MemoryShare();
  CHECK(budget.held() == 90);
}

TEST_CASE("memory: what is there already is counted beyond the limit", "[loopback]") {
  Loop loop;
  auto& budget = MemoryBudget::of(loop.executor());
  budget.set_limit(100);
  MemoryShare share(loop.executor());
  share.count(150);
  CHECK(budget.held() == 150);
  CHECK_FALSE(budget.check());
  MemoryShare other(loop.executor());
  CHECK_FALSE(other.take(1));
  share.count(0);
  CHECK(other.take(1));
}

TEST_CASE("memory: a share that moves on is held once", "[loopback]") {
  Loop loop;
  auto& budget = MemoryBudget::of(loop.executor());
  {
    MemoryShare share(loop.executor());
    share.count(7);
    MemoryShare moved(std::move(share));
    CHECK(budget.held() == 7);
    moved.count(8);
    CHECK(budget.held() == 8);
  }
  CHECK(budget.held() == 0);
}
