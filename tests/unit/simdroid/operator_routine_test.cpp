#include "simdroid/operator/routine.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

using namespace simdroid;
using namespace std::chrono_literals;

namespace {

using Diary = std::vector<std::pair<std::string, Duration>>;

Routine<int> inner(Timeline* time, Diary* diary) {
  co_await time->pause(2s);
  diary->emplace_back("inner", time->now().time_since_epoch());
  co_return 5;
}

Routine<int> outer(Timeline* time, Diary* diary) {
  diary->emplace_back("begin", time->now().time_since_epoch());
  co_await time->pause(1s);
  const int value = co_await inner(time, diary);
  co_await time->pause(0s);
  diary->emplace_back("end", time->now().time_since_epoch());
  co_return value + 1;
}

struct Witness {
  bool* gone;
  ~Witness() { *gone = true; }
};

Routine<int> holds(Timeline* time, bool* gone) {
  const Witness witness{gone};
  co_await time->pause(1h);
  co_return 0;
}

}  // namespace

TEST_CASE("routine: pauses end at their own times, however late the caller comes") {
  const Duration step = GENERATE(Duration(1s), Duration(700ms), Duration(10s));
  Timeline time(Time{});
  Diary diary;
  auto routine = outer(&time, &diary);
  routine.start();
  CHECK(time.wake_at() == Time(1s));
  for (Duration now{}; now <= 20s; now += step) time.run_until(Time(now));
  REQUIRE(routine.done());
  CHECK(routine.result() == 6);
  CHECK(diary == Diary{{"begin", 0s}, {"inner", 3s}, {"end", 3s}});
  CHECK_FALSE(time.wake_at());
}

TEST_CASE("routine: dropping the outermost frees what its frames hold") {
  Timeline time(Time{});
  bool gone = false;
  {
    auto routine = holds(&time, &gone);
    routine.start();
    CHECK_FALSE(gone);
    time.forget();
  }
  CHECK(gone);
  time.run_until(Time(2h));
}
