#include "runtime/engine/shell_backend/shell_params.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using std::chrono::milliseconds;

namespace {

Execution plan_of(const std::string& action) {
  auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"test","expectedFormat":"android-ui-automator",)"
      R"("timeoutMs":30000,"actions":[)" +
      action + "]}");
  REQUIRE(execution);
  return *std::move(execution);
}

}  // namespace

TEST_CASE("shell params: with the app's defaults and bounds") {
  const Scroll scroll{.direction = " Up ", .distance_ratio = 0.5};
  CHECK(direction_of(scroll) == "up");
  CHECK(direction_of({}) == "down");
  CHECK(ratio_of(scroll) == 0.5);
  CHECK(settle_of(scroll) == milliseconds(250));
  CHECK(time_of(1e9, {}, 120000) == milliseconds(120000));
  CHECK(point_of(Coordinate{1e300, 7}) == Point{100000, 7});
  const Execution plan = plan_of(
      R"({"id":"a","type":"click","params":{"matcher":{"textEquals":"x"},"clickType":"long_click",)"
      R"("retry":{"maxAttempts":99,"initialDelayMs":100,"backoffMultiplier":3,"maxDelayMs":"x"}}})");
  const Click& click = *plan.actions.front().as<Click>();
  CHECK(is_long(click.click_type));
  const ShellRetry retry = shell_retry(click.retry);
  CHECK(retry.max_attempts == 10);
  CHECK(retry.pause(1) == milliseconds(100));
  CHECK(retry.pause(2) == milliseconds(300));
  CHECK(retry.pause(9) == milliseconds(3000));
  CHECK(shell_retry(std::nullopt).max_attempts == 3);
}

TEST_CASE("shell params: what a shell cannot do truthfully is refused") {
  struct Row {
    std::string action;
    Errc code;
  };
  const std::string matcher = R"("matcher":{"textEquals":"x"})";
  const Row rows[] = {
      {R"({"id":"a","type":"enter_text","params":{)" + matcher + R"(,"text":"gr\u00fc\u00df"}})",
       errc::input_text_unsupported},
      {R"({"id":"a","type":"enter_text","params":{)" + matcher + R"(,"text":"a\tb"}})",
       errc::input_text_unsupported},
      {R"({"id":"a","type":"read_text","params":{)" + matcher + R"(,"validator":"temperature"}})",
       errc::not_implemented},
      {R"({"id":"a","type":"click","params":{)" + matcher + R"(,"clickType":"focus"}})",
       errc::not_implemented},
      {R"({"id":"a","type":"stop_recording"})", errc::not_implemented},
  };
  for (const Row& row : rows) {
    INFO(row.action);
    const auto can = check_shell_can(plan_of(row.action));
    REQUIRE_FALSE(can);
    CHECK(can.error().code() == row.code);
  }
}

TEST_CASE("shell params: a finger stays inside what it scrolls, and does not tap") {
  const Bounds list{100, 200, 1100, 1200};
  const auto down = swipe_path(list, "down", 0.5);
  REQUIRE(down);
  CHECK(down->from == Point{600, 950});
  CHECK(down->to == Point{600, 450});
  const auto up = swipe_path(list, "up", 0.5);
  REQUIRE(up);
  CHECK(up->from == down->to);
  CHECK(up->to == down->from);
  const auto right = swipe_path(list, "right", 1.0);
  REQUIRE(right);
  CHECK(right->from == Point{1000, 700});
  CHECK(right->to == Point{200, 700});
  CHECK_FALSE(swipe_path(list, "down", 0.0));
  CHECK_FALSE(swipe_path({0, 0, 1080, 40}, "up", 0.7));
}

TEST_CASE("shell params: a node that is disabled or covers nothing is not tapped") {
  UiNode node;
  node.bounds = {0, 0, 100, 50};
  CHECK(point_of(node) == Point{50, 25});
  node.bounds = {0, 2400, 1080, 2400};
  CHECK_FALSE(point_of(node));
  node.bounds = {0, 0, 100, 50};
  node.flags.enabled = false;
  CHECK_FALSE(point_of(node));
}

TEST_CASE(
    "shell params: of several nodes the first, with strict none, and no later screen is waited "
    "for") {
  const test::Widget twin{
      .class_name = "android.widget.TextView", .text = "Delete", .bounds = {0, 0, 9, 9}};
  const UiTree tree = test::tree_of({{.children = {twin, twin}}});
  const NodeMatcher wanted{.text_equals = "Delete"};
  CHECK(node_of(wanted, false, tree).has_value());
  const auto strict = node_of(wanted, true, tree);
  REQUIRE_FALSE(strict);
  CHECK(strict.error().code == "NODE_AMBIGUOUS");
  CHECK(strict.error().why.starts_with("2 nodes match"));
  const auto none = node_of({.text_equals = "Nothing"}, true, tree);
  REQUIRE_FALSE(none);
  CHECK(none.error().code.empty());
}
