#include "runtime/host/verbs/pinch.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace clawperator;

namespace {

constexpr ScreenSize kUpright{1001, 2001};

double apart(const TouchFrame& frame, double width, double height) {
  return std::hypot((frame[1].x - frame[0].x) * width / kTouchRange,
                    (frame[1].y - frame[0].y) * height / kTouchRange);
}

}  // namespace

TEST_CASE("pinch: around a point, to a distance, in and out", "[host]") {
  const auto out =
      pinch_path({.out = true, .centre = InputPoint{500, 1000}, .distance = 400}, kUpright, 0);
  REQUIRE(out);
  CHECK(std::abs(apart(out->frames.front(), 1000, 2000) - 80) < 1);
  CHECK(std::abs(apart(out->frames.back(), 1000, 2000) - 400) < 1);
  for (const TouchFrame& frame : out->frames) {
    CHECK(std::abs(frame[0].x + frame[1].x - kTouchRange) <= 1);
    CHECK(std::abs(frame[0].y + frame[1].y - kTouchRange) <= 1);
  }
  const auto in = pinch_path({.out = false}, kUpright, 0);
  REQUIRE(in);
  CHECK(in->centre.x == 500);
  CHECK(in->distance == 500);
  CHECK(in->frames.front() == pinch_path({.out = true}, kUpright, 0)->frames.back());
}

TEST_CASE("pinch: the panel is never turned", "[host]") {
  // The point is low at the right of each screen; the panel's corner is another one each time.
  const auto at = [](int turns) {
    const InputPoint low_right = turns % 2 == 0 ? InputPoint{900, 1900} : InputPoint{1900, 900};
    const auto path =
        pinch_path({.out = true, .centre = low_right, .distance = 10}, kUpright, turns);
    REQUIRE(path);
    const TouchFrame& frame = path->frames.back();
    return std::pair((frame[0].x + frame[1].x) / 2 > kTouchRange / 2,
                     (frame[0].y + frame[1].y) / 2 > kTouchRange / 2);
  };
  CHECK(at(0) == std::pair(true, true));
  CHECK(at(1) == std::pair(false, true));
  CHECK(at(2) == std::pair(false, false));
  CHECK(at(3) == std::pair(true, false));
}

TEST_CASE("pinch: a finger that would leave the screen", "[host]") {
  CHECK_FALSE(
      pinch_path({.out = true, .centre = InputPoint{10, 1000}, .distance = 400}, kUpright, 0));
  CHECK_FALSE(pinch_path({.out = true, .distance = 2000}, kUpright, 0));
  CHECK_FALSE(
      pinch_path({.out = true, .centre = InputPoint{500, 1500}, .distance = 10}, kUpright, 1));
  CHECK_FALSE(pinch_path({.out = true, .distance = 4}, kUpright, 0));
}
