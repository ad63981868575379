#include "simdroid/operator/operator_app.hpp"

#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

namespace {

Bench& settings(Bench& bench) {
  REQUIRE(bench.world.open_app("com.android.settings"));
  return bench;
}

int offset(const Bench& bench) {
  return with_id(bench.world, "com.android.settings:id/recycler_view")->scroll_offset;
}

}  // namespace

TEST_CASE("scroll moves the first list by its share, then settles") {
  Bench bench;
  settings(bench);
  const int height = with_id(bench.world, "com.android.settings:id/recycler_view")->bounds.height();
  CHECK(bench.step("scroll", R"({"distanceRatio":0.25})")["data"].dump() ==
        R"({"scroll_outcome":"moved","direction":"down","distance_ratio":"0.25",)"
        R"("settle_delay_ms":"250","resolved_container":"com.android.settings:id/recycler_view"})");
  CHECK(std::abs(offset(bench) - height / 4) <= 1);
  CHECK(bench.now == at(250ms));
  CHECK(bench.step("scroll", R"({"direction":"up","settleDelayMs":0})")["data"]["scroll_outcome"] ==
        "moved");
  const Json edge = bench.step("scroll", R"({"direction":"up","distanceRatio":1})");
  CHECK(edge["success"] == true);
  CHECK(edge["data"]["scroll_outcome"] == "edge_reached");
  CHECK(edge["data"]["distance_ratio"] == "1.0");
}

TEST_CASE("scroll takes the requested container, or the list inside it") {
  Bench bench;
  REQUIRE(bench.world.open_screen("com.clawperator.conformance", "feed"));
  const auto container = [](const char* id) {
    return R"({"container":{"resourceId":"com.clawperator.conformance:id/)" + std::string(id) +
           R"("}})";
  };
  CHECK(bench.step("scroll")["data"]["resolved_container"] ==
        "com.clawperator.conformance:id/outer_scroll");
  REQUIRE(bench.world.open_screen("com.clawperator.conformance", "form"));
  bench.world.press(Key::back);
  bench.step("scroll", R"({"direction":"up","distanceRatio":1})");
  CHECK(bench.step("scroll", container("inner_list"))["data"]["resolved_container"] ==
        "com.clawperator.conformance:id/inner_list");
  settings(bench);
  CHECK(bench.step(
            "scroll",
            R"({"container":{"resourceId":"android:id/content"}})")["data"]["resolved_container"] ==
        "com.android.settings:id/recycler_view");
}

TEST_CASE("scroll's failures: container, scrollability, gesture") {
  Bench bench;
  settings(bench);
  const auto error = [&](const char* params) {
    const Json step = bench.step("scroll", params);
    CHECK(step["success"] == false);
    return step["data"]["error"].get<std::string>();
  };
  CHECK(error(R"({"container":{"textEquals":"nowhere"}})") == "CONTAINER_NOT_FOUND");
  CHECK(error(R"({"container":{"textEquals":"Google"}})") == "CONTAINER_NOT_SCROLLABLE");
  CHECK(error(R"({"container":{"resourceId":"android:id/content"},
                  "findFirstScrollableChild":false})") == "CONTAINER_NOT_SCROLLABLE");
  bench.app.facts().gestures_work = false;
  CHECK(error("{}") == "GESTURE_FAILED");
  bench.app.facts().gestures_work = true;
  REQUIRE(bench.world.open_screen("com.android.settings", "google"));
  CHECK(error("{}") == "CONTAINER_NOT_FOUND");
}

TEST_CASE("scroll_until ends at the edge, at its caps, or at its target") {
  Bench bench;
  settings(bench);
  const Json edge = bench.step("scroll_until");
  CHECK(edge["data"]["termination_reason"] == "EDGE_REACHED");
  CHECK(edge["data"]["click_after"] == "false");
  CHECK(edge["data"]["direction"] == "down");
  REQUIRE(offset(bench) > 0);
  CHECK(bench.step("scroll_until", R"({"direction":"up"})")["data"]["termination_reason"] ==
        "EDGE_REACHED");
  REQUIRE(bench.world.open_screen("com.clawperator.conformance", "feed"));
  const Json capped = bench.step("scroll_until", R"({"maxScrolls":2,"distanceRatio":0.1})");
  CHECK(capped["data"]["termination_reason"] == "MAX_SCROLLS_REACHED");
  CHECK(capped["data"]["scrolls_executed"] == "2");
  const Json slow = bench.step("scroll_until", R"({"maxDurationMs":600,"distanceRatio":0.1})");
  CHECK(slow["data"]["termination_reason"] == "MAX_DURATION_REACHED");
  CHECK(slow["data"]["scrolls_executed"] == "3");
  const Json found = bench.step("scroll_until", R"({"matcher":{"textEquals":"Post 30"},
                                 "clickAfter":true})");
  CHECK(found["data"]["termination_reason"] == "TARGET_FOUND");
  CHECK(found["data"]["click_after"] == "true");
  CHECK(bench.world.screen().name == "greeting");
}

TEST_CASE("scroll_until's failures: target, container, and a list that never moves") {
  Bench bench;
  settings(bench);
  const Json missing = bench.step("scroll_until", R"({"matcher":{"textEquals":"nowhere"}})");
  CHECK(missing["success"] == false);
  CHECK(missing["data"]["error"] == "TARGET_NOT_FOUND");
  CHECK(missing["data"]["termination_reason"] == "EDGE_REACHED");
  const Json container = bench.step("scroll_until", R"({"container":{"textEquals":"nowhere"}})");
  CHECK(container["success"] == false);
  CHECK(container["data"]["error"] == "CONTAINER_NOT_FOUND");
  const Json rigid = bench.step("scroll_until", R"({"container":{"textContains":"Tips"}})");
  CHECK(rigid["data"]["error"] == "CONTAINER_NOT_SCROLLABLE");
  bench.app.facts().gestures_work = false;
  const Json stuck = bench.step("scroll_until", R"({"noPositionChangeThreshold":2})");
  CHECK(stuck["success"] == true);
  CHECK(stuck["data"]["termination_reason"] == "NO_POSITION_CHANGE");
  CHECK(stuck["data"]["scrolls_executed"] == "2");
}

TEST_CASE("scroll_until notices that its container went away") {
  Bench bench;
  REQUIRE(bench.world.open_app("com.android.settings"));
  bench.receive(command(action("scroll_until", R"({"distanceRatio":0.1})")));
  bench.advance(100ms);
  bench.world.open_screen("com.android.settings", "google");
  bench.finish();
  const Json step = bench.envelope()["stepResults"][0];
  CHECK(step["data"]["error"] == "CONTAINER_LOST");
  CHECK(step["data"]["scrolls_executed"] == "1");
}

TEST_CASE("scroll_and_click finds what is far down and clicks it") {
  Bench bench;
  settings(bench);
  CHECK(bench.step("scroll_and_click", R"({"matcher":{"textEquals":"About phone"}})")["data"]
            .dump() ==
        R"({"max_swipes":"10","direction":"Down","click_types":"click","click_after":"true"})");
  CHECK(bench.world.screen().name == "about");
}

TEST_CASE("scroll_and_click without the click only brings it into view") {
  Bench bench;
  settings(bench);
  const Json step = bench.step("scroll_and_click",
                               R"({"matcher":{"textEquals":"About phone"},"clickAfter":false})");
  CHECK(step["data"]["click_after"] == "false");
  CHECK(bench.world.screen().name == "home");
  CHECK(with_text(bench.world, "About phone") != nullptr);
}

TEST_CASE("scroll_and_click ends the plan when there is nothing to find") {
  Bench bench;
  settings(bench);
  CHECK(bench.failure("scroll_and_click", R"({"matcher":{"textEquals":"nowhere"}})") ==
        "Target node not found after scrolling: NodeMatcher(textEquals=nowhere)");
  CHECK(bench.failure("scroll_and_click", R"({"matcher":{"textEquals":"nowhere"},
                      "container":{"role":"tab"},"scrollRetry":{"maxAttempts":1}})") ==
        "CONTAINER_NOT_FOUND");
}
