#include "simdroid/operator/command.hpp"

#include "base/text.hpp"

#include <catch2/catch.hpp>

using namespace simdroid;
using namespace std::chrono_literals;

namespace {

std::string payload(const std::string& type, const std::string& params) {
  return R"({"commandId":"c","taskId":"t","actions":[{"id":"a","type":")" + type +
         R"(","params":)" + params + "}]}";
}

Result<DeviceAction> parse_one(const std::string& type, const std::string& params) {
  TRY(simdroid::Command command, parse_command(payload(type, params)));
  return std::move(command.actions.front());
}

}  // namespace

TEST_CASE("command: defaults are those of the device") {
  const auto command = parse_command(payload("scroll_until", "{}"));
  REQUIRE(command);
  CHECK(command->timeout == 30000ms);
  const DeviceAction& action = command->actions.front();
  CHECK(action.direction == Direction::down);
  CHECK(action.distance_ratio == 0.7);
  CHECK(action.settle_delay == 250ms);
  CHECK(action.max_scrolls == 20);
  CHECK(action.max_duration == 10000ms);
  CHECK(action.no_position_change_threshold == 3);
  CHECK(action.find_first_scrollable_child);
  CHECK_FALSE(action.click_after);
  const auto scroll_and_click = parse_one("scroll_and_click", R"({"matcher":{"role":"text"}})");
  REQUIRE(scroll_and_click);
  CHECK(scroll_and_click->click_after);
  CHECK(scroll_and_click->max_swipes == 10);
  CHECK(scroll_and_click->scroll_retry.max_attempts == 4);
  CHECK(scroll_and_click->click_retry.max_attempts == 5);
  CHECK(parse_one("scroll", "{}")->retry.max_attempts == 1);
}

TEST_CASE("command: numbers out of range are clamped, not refused") {
  const auto action = parse_one("scroll_until", R"({"distanceRatio":7,"settleDelayMs":-1,
      "maxScrolls":1000,"maxDurationMs":1e12,"noPositionChangeThreshold":0,"maxSwipes":0})");
  REQUIRE(action);
  CHECK(action->distance_ratio == 1.0);
  CHECK(action->settle_delay == 0ms);
  CHECK(action->max_scrolls == 200);
  CHECK(action->max_duration == 120000ms);
  CHECK(action->no_position_change_threshold == 1);
  CHECK(action->max_swipes == 1);
  CHECK(parse_one("sleep", R"({"durationMs":999999})")->duration == 120000ms);
  const auto wait = parse_one("wait_for_node", R"({"matcher":{"role":"x"},"timeoutMs":0,
      "retry":{"maxAttempts":99,"initialDelayMs":-5,"backoffMultiplier":0,"jitterRatio":2}})");
  CHECK(wait->timeout == 1ms);
  CHECK(wait->retry.max_attempts == 10);
  CHECK(wait->retry.initial_delay == 0ms);
  CHECK(wait->retry.multiplier == 1.0);
  CHECK(wait->retry.jitter_ratio == 1.0);
  auto text = payload("snapshot_ui", "{}");
  text.insert(1, R"("timeoutMs":5,)");
  CHECK(parse_command(text)->timeout == 1000ms);
}

TEST_CASE("command: words are lower-cased but not trimmed, and aliases of the device work") {
  CHECK(parse_one("scroll", R"({"direction":"UP"})")->direction == Direction::up);
  CHECK_FALSE(parse_one("scroll", R"({"direction":" up"})"));
  CHECK(parse_one("key_press", R"({"key":"Home"})")->key == Key::home);
  CHECK_FALSE(parse_one("press_key", R"({"key":"enter"})"));
  CHECK(parse_one("find_node", R"({"matcher":{"role":"x"}})")->kind == ActionKind::wait_for_node);
  CHECK(parse_one("type_text", R"({"matcher":{"role":"x"},"text":"y"})")->kind ==
        ActionKind::enter_text);
  const auto click = parse_one("click", R"({"coordinate":{"x":1,"y":2},"clickType":"longclick"})");
  CHECK(click->click == Click::long_click);
  CHECK(click->coordinate == Point{1, 2});
}

TEST_CASE("command: what the app cannot parse is refused") {
  struct Case {
    const char* name;
    std::string text;
  };
  std::string many = R"({"commandId":"c","taskId":"t","actions":[)";
  for (int i = 0; i < 65; ++i) many += std::string(i ? "," : "") + R"({"id":"a","type":"sleep"})";
  const auto c = GENERATE_COPY(values<Case>({
      {"not json", "nonsense"},
      {"a list", "[]"},
      {"no command id", R"({"taskId":"t","actions":[{"id":"a","type":"sleep"}]})"},
      {"no task id", R"({"commandId":"c","actions":[{"id":"a","type":"sleep"}]})"},
      {"no actions", R"({"commandId":"c","taskId":"t"})"},
      {"empty actions", R"({"commandId":"c","taskId":"t","actions":[]})"},
      {"65 actions", many + "]}"},
      {"too large", payload("enter_text", R"({"matcher":{"role":"x"},"text":")" +
                                              std::string(64000, 'x') + "\"}")},
      {"action not an object", R"({"commandId":"c","taskId":"t","actions":[1]})"},
      {"blank id", R"({"commandId":"c","taskId":"t","actions":[{"id":" ","type":"sleep"}]})"},
      {"unknown type", payload("dance", "{}")},
      {"host alias", payload("screenshot", "{}")},
      {"open_app without app", payload("open_app", "{}")},
      {"open_uri without uri", payload("open_uri", "{}")},
      {"close_app with blank app", payload("close_app", R"({"applicationId":" "})")},
      {"click without target", payload("click", "{}")},
      {"click with both",
       payload("click", R"({"matcher":{"role":"x"},"coordinate":{"x":1,"y":1}})")},
      {"bad click type", payload("click", R"({"matcher":{"role":"x"},"clickType":"double"})")},
      {"coordinate without y", payload("click", R"({"coordinate":{"x":1}})")},
      {"empty matcher", payload("wait_for_node", R"({"matcher":{}})")},
      {"matcher of the wrong kind", payload("wait_for_node", R"({"matcher":"x"})")},
      {"matcher with a number", payload("wait_for_node", R"({"matcher":{"role":1}})")},
      {"text missing", payload("enter_text", R"({"matcher":{"role":"x"}})")},
      {"unknown validator", payload("read_text", R"({"matcher":{"role":"x"},"validator":"date"})")},
      {"regex without pattern",
       payload("read_text", R"({"matcher":{"role":"x"},"validator":"regex"})")},
      {"navigation without goal", payload("wait_for_navigation", R"({"timeoutMs":5})")},
      {"navigation without time", payload("wait_for_navigation", R"({"expectedPackage":"p"})")},
      {"label missing", payload("read_key_value_pair", "{}")},
  }));
  INFO(c.name);
  CHECK_FALSE(parse_command(c.text));
}

TEST_CASE("command: 64 actions are allowed, doctor_ping is an action, params may be missing") {
  std::string many = R"({"commandId":"c","taskId":"t","actions":[)";
  for (int i = 0; i < 64; ++i) {
    many += std::string(i ? "," : "") + R"({"id":"a","type":"doctor_ping"})";
  }
  const auto command = parse_command(many + "]}");
  REQUIRE(command);
  CHECK(command->actions.size() == 64);
  CHECK(action_name(command->actions[0].kind) == "doctor_ping");
}
