#include "skills/watch/skills_watcher.hpp"

#include <catch2/catch.hpp>
#include <chrono>

using namespace clawperator::agent_skills;
using std::chrono::milliseconds;
using std::chrono::system_clock;

TEST_CASE("skills watcher: a version is the time, and always a higher one", "[watch]") {
  const system_clock::time_point now(milliseconds(1'767'225'600'123));
  CHECK(next_version(0, now) == 1'767'225'600'123);
  CHECK(next_version(1'767'225'600'122, now) == 1'767'225'600'123);
  CHECK(next_version(1'767'225'600'123, now) == 1'767'225'600'124);
  CHECK(next_version(1'767'225'609'999, now) == 1'767'225'610'000);
}
