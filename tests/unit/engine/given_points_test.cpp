#include "runtime/engine/given_points.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"

using namespace clawperator;

namespace {

Execution plan_of(std::string_view actions) {
  auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
      R"("timeoutMs":5000,"actions":[)" +
      std::string(actions) + "]}");
  REQUIRE(execution);
  return *std::move(execution);
}

std::string click_at(std::string_view x, std::string_view y) {
  static int number = 0;
  return R"({"id":"a)" + std::to_string(++number) +
         R"(","type":"click","params":{"coordinate":{"x":)" + std::string(x) +
         ",\"y\":" + std::string(y) + "}}}";
}

constexpr std::string_view kOpen =
    R"({"id":"o","type":"open_app","params":{"applicationId":"a.b"}},)";
constexpr std::string_view kLook = R"({"id":"l","type":"snapshot_ui"},)";

bool fits(const std::string& actions, ScreenSize screen) {
  const auto points = given_points(plan_of(actions));
  const auto checked = check_points(points, screen);
  CHECK(checked.has_value() == all_on_screen(points, screen));
  if (!checked) CHECK(checked.error().code() == errc::off_screen);
  return checked.has_value();
}

}  // namespace

TEST_CASE("given points: those of clicks, wherever they stand in a plan") {
  CHECK(given_points(plan_of(kLook.substr(0, kLook.size() - 1))).empty());
  const auto points =
      given_points(plan_of(std::string(kOpen) + click_at("5", "6") + "," + click_at("7.0", "8e0")));
  REQUIRE(points.size() == 2);
  CHECK(points[0].at == Point{5, 6});
  CHECK(points[1].at == Point{7, 8});
}

TEST_CASE("given points: the screen's own edges") {
  constexpr ScreenSize kScreen{1080, 2400};
  CHECK(fits(click_at("0", "0"), kScreen));
  CHECK(fits(click_at("1079", "2399"), kScreen));
  CHECK_FALSE(fits(click_at("1080", "0"), kScreen));
  CHECK_FALSE(fits(click_at("0", "2400"), kScreen));
  CHECK_FALSE(fits(click_at("1e300", "5"), kScreen));
  CHECK_FALSE(fits(click_at("5", "999999999999999999999"), kScreen));
  CHECK_FALSE(fits(click_at("5", "5") + "," + click_at("5", "2400"), kScreen));
}

TEST_CASE("given points: behind a step that may turn the screen either turn will do") {
  constexpr ScreenSize kScreen{1080, 2400};
  CHECK_FALSE(fits(click_at("2000", "500"), kScreen));
  CHECK_FALSE(fits(std::string(kLook) + click_at("2000", "500"), kScreen));
  CHECK(fits(std::string(kOpen) + click_at("2000", "500"), kScreen));
  CHECK_FALSE(fits(std::string(kOpen) + click_at("2000", "1500"), kScreen));
  CHECK_FALSE(fits(std::string(kOpen) + click_at("2400", "500"), kScreen));
}

TEST_CASE("given points: without a size only what is on no screen is refused") {
  const auto checked = [](Point at) {
    const GivenPoint point{.at = at};
    return check_points(std::span(&point, 1), std::nullopt).has_value();
  };
  CHECK(checked({5, 5}));
  CHECK(checked({99999, 99999}));
  CHECK_FALSE(checked({-1, 5}));
  CHECK_FALSE(checked({5, std::numeric_limits<int>::min()}));
  CHECK_FALSE(checked({std::numeric_limits<int>::max(), 5}));
}
