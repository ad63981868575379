#include <catch2/catch.hpp>
#include <chrono>

#include "skills/agent/prompt.hpp"

using namespace clawperator::agent_skills;
using std::chrono::milliseconds;

TEST_CASE("skills version: it is the time, and always higher than before", "[agent]") {
  const std::chrono::system_clock::time_point now(milliseconds(1'767'225'600'123));
  CHECK(next_version(0, now) == 1'767'225'600'123ULL);
  CHECK(next_version(1'767'225'600'122, now) == 1'767'225'600'123ULL);
  CHECK(next_version(1'767'225'600'123, now) == 1'767'225'600'124ULL);
  CHECK(next_version(1'767'225'609'999, now) == 1'767'225'610'000ULL);
}
