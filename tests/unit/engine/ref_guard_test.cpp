#include "runtime/engine/ref_guard.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/parse.hpp"

using namespace clawperator;

namespace {

Execution guarded_plan(std::string_view actions) {
  auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":2000,"actions":[)" +
      std::string(actions) + "]}");
  REQUIRE(execution);
  return *std::move(execution);
}

constexpr std::string_view kClick =
    R"({"id":"a","type":"click","params":{"matcher":{"textEquals":"Allow"}}})";
constexpr std::string_view kScroll =
    R"({"id":"a","type":"scroll_and_click","params":{"matcher":{"textEquals":"Allow"}}})";
// In a container of the caller's.
constexpr std::string_view kReadIn =
    R"({"id":"a","type":"read_text","params":{"matcher":{"textEquals":"Allow"},"container":{"role":"toolbar"}}})";

ShownNode shown_of(const std::string& id, const std::string& ancestor) {
  ShownNode shown;
  shown.ref = "1a2b3c4d5e6f@7";
  shown.app = shown.front = "com.shop";
  shown.is_unique = true;
  shown.matcher.text_equals = "Allow";
  if (!id.empty()) shown.matcher.resource_id = id;
  shown.ancestor_id = ancestor;
  shown.witnesses = {{{.text_equals = "Shop"}}, "android:id/content"};
  return shown;
}

constexpr OperatorVersion kOld{0, 9, 5};
constexpr OperatorVersion kNew{0, 10, 0};

}  // namespace

TEST_CASE("ref guard: the app itself where an id binds the node, else the phone, else a look") {
  const Execution click = guarded_plan(kClick);
  const ShownNode own = shown_of("com.shop:id/b", "");
  const ShownNode around = shown_of("android:id/button1", "com.shop:id/root");
  const ShownNode none = shown_of("android:id/button1", "");
  CHECK(guard_of(own, click, kNew, 34) == RefGuard::app);
  CHECK(guard_of(around, click, kNew, 0) == RefGuard::app);
  CHECK(guard_of(none, click, kNew, 34) == RefGuard::shell);
  CHECK(guard_of(none, click, kNew, 0) == RefGuard::look);
  CHECK(guard_of(own, guarded_plan(kScroll), kNew, 34) == RefGuard::shell);
  for (const auto& version : {std::optional(kOld), std::optional<OperatorVersion>()}) {
    CHECK(guard_of(own, click, version, 34) == RefGuard::look);
  }
  ShownNode unwitnessed = own;
  unwitnessed.witnesses.container_id.clear();
  CHECK(guard_of(unwitnessed, click, kNew, 34) == RefGuard::look);
  CHECK(guard_of(unwitnessed, guarded_plan(kScroll), kNew, 34) == RefGuard::shell);
  unwitnessed.witnesses = {{}, "android:id/content"};
  CHECK(guard_of(unwitnessed, click, kNew, 34) == RefGuard::look);
  CHECK(guard_of(own, guarded_plan(kReadIn), kNew, 34) == RefGuard::look);
  for (const char* id : {"com.shop:id/title", "com.shop.plus:id/title"}) {
    ShownNode by_witness = none;
    by_witness.witnesses.texts.front().resource_id = id;
    const bool is_bound = id == std::string_view("com.shop:id/title");
    CHECK(guard_of(by_witness, click, kNew, 0) == (is_bound ? RefGuard::app : RefGuard::look));
  }
  ShownNode twin = own;
  twin.is_unique = false;
  CHECK(guard_of(twin, click, kNew, 34) == RefGuard::look);
  ShownNode in_another_window = none;
  in_another_window.front = "com.android.systemui";
  CHECK(guard_of(in_another_window, click, kNew, 34) == RefGuard::look);
  ShownNode hostile = none;
  hostile.app = hostile.front = "com.shop';reboot;'";
  CHECK(guard_of(hostile, click, kNew, 34) == RefGuard::look);
}

TEST_CASE("ref guard: a touch without a ref is bound to its app by the phone, else by a look") {
  const ShownNode any{.app = "com.shop", .front = "com.shop"};
  const Execution click = guarded_plan(kClick);
  CHECK(guard_of(any, click, kOld, 34) == RefGuard::shell);
  CHECK(guard_of(any, click, std::nullopt, 34) == RefGuard::shell);
  CHECK(guard_of(any, click, kNew, 0) == RefGuard::look);
  const ShownNode strange{.app = "com.shop;reboot", .front = "com.shop;reboot"};
  CHECK(guard_of(strange, click, kNew, 34) == RefGuard::look);
}

TEST_CASE("ref guard: what an app that knows it is sent") {
  const auto sent = [](const Execution& plan) { return params_json(plan.actions.at(0)); };
  const std::string look = R"({"id":"l","type":"snapshot_ui"})";
  const Execution bound =
      bound_plan(guarded_plan(std::string(kClick) + "," + look),
                 shown_of("android:id/button1", "com.shop:id/root"), RefGuard::app);
  CHECK(
      params_json(bound.actions.at(0)) ==
      R"({"matcher":{"textEquals":"Allow","ancestor":{"resourceId":"com.shop:id/root"}},"strict":true,"container":{"resourceId":"android:id/content","descendant":{"textEquals":"Shop"}}})");
  CHECK_FALSE(params_json(bound.actions.at(1)));
  CHECK(sent(bound_plan(guarded_plan(kClick), shown_of("com.shop:id/b", ""), RefGuard::look)) ==
        R"({"matcher":{"textEquals":"Allow"},"strict":true})");
  // What scrolls does not know yet how many there are.
  CHECK(sent(bound_plan(guarded_plan(kScroll), shown_of("com.shop:id/b", ""), RefGuard::shell)) ==
        R"({"matcher":{"textEquals":"Allow"}})");
  constexpr std::string_view kPoint =
      R"({"id":"a","type":"click","params":{"coordinate":{"x":1,"y":2}}})";
  CHECK(bound_plan(guarded_plan(kPoint), shown_of("", "com.shop:id/root"), RefGuard::look) ==
        guarded_plan(kPoint));
}

TEST_CASE("ref guard: what the app says of a node that it did not find") {
  struct Row {
    const char* code;
    bool has_missed;
  };
  const auto row = GENERATE(values<Row>({{"NODE_NOT_FOUND", true},
                                         {"NODE_AMBIGUOUS", true},
                                         {"CONTAINER_NOT_FOUND", true},
                                         {"CONTAINER_AMBIGUOUS", true},
                                         {"No UI node found matching criteria: x", true},
                                         {"GESTURE_FAILED", false},
                                         {"", false}}));
  Envelope thrown;
  thrown.error = row.code;
  CHECK(has_missed(thrown) == row.has_missed);
  Envelope returned;
  returned.step_results.push_back({"a", "click", false, {{"error", row.code}}});
  CHECK(has_missed(returned) == row.has_missed);
  returned.step_results.front().success = true;
  CHECK_FALSE(has_missed(returned));
}

TEST_CASE("ref guard: a container of ours does not show, one of the caller's does") {
  for (const std::string_view read : {kClick, kReadIn}) {
    Envelope envelope;
    envelope.step_results.push_back({"a", "read_text", true, {{"text", "x"}, {"container", "y"}}});
    hide_container(envelope, guarded_plan(read));
    CHECK((find_data(envelope.step_results[0].data, "container") != nullptr) == (read == kReadIn));
  }
}
