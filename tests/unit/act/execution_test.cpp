// What no verb of the command line shows of executions; its verbs are in
// unit/cli/sent_bytes_test.cpp.
#include "runtime/act/execution.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"

using namespace clawperator;
using namespace clawperator::act;

namespace {

const NamedOperator kOperator = "com.clawperator.operator";

std::string sent(const Action& action, bool tree_first = false) {
  const auto execution = execution_of(action, {1700000000000, "abcd123"}, std::nullopt, kOperator,
                                      std::nullopt, tree_first);
  return execution ? to_json(*execution) : execution.error().message();
}

}  // namespace

TEST_CASE(
    "execution: a picture with the tree of its screen is one plan, and the tree comes first") {
  CHECK(
      sent(Screenshot{.path = "a.png"}, true) ==
      R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"look","type":"snapshot_ui"},{"id":"snap","type":"take_screenshot","params":{"path":"a.png"}}]})");
}

TEST_CASE("execution: the tries of a search are sent in the app's own words") {
  const std::string once = R"("retry":{"maxAttempts":1,"initialDelayMs":0,)"
                           R"("maxDelayMs":0,"backoffMultiplier":1,"jitterRatio":0})";
  const Selector form{.fields = {.text_equals = "Form"}};
  for (const Action& action :
       {Action(Click{.matcher = form, .retry = retry_for({})}),
        Action(EnterText{.matcher = form, .text = "x", .retry = retry_for({})}),
        Action(ReadText{.matcher = form, .retry = retry_for({})}),
        Action(ReadValue{.label_matcher = form, .retry = retry_for({})})}) {
    CHECK(sent(action).contains(once));
  }
  CHECK_FALSE(sent(Click{.matcher = form}).contains("retry"));
}

TEST_CASE("execution: a strict action says so") {
  const Selector form{.fields = {.text_equals = "Form"}};
  ScrollUntil scroll;
  scroll.matcher = form;
  scroll.strict = true;
  for (const Action& action : {Action(Click{.matcher = form, .strict = true}),
                               Action(EnterText{.matcher = form, .text = "x", .strict = true}),
                               Action(ReadText{.matcher = form, .strict = true}), Action(scroll)}) {
    CHECK(sent(action).contains(R"("strict":true)"));
  }
  CHECK_FALSE(sent(Click{.matcher = form}).contains("strict"));
  Click click{.matcher = form, .strict = true};
  put_at(click, Point{1, 2});
  CHECK(sent(click).contains(R"("params":{"coordinate":{"x":1,"y":2}}})"));
}

TEST_CASE("execution: recordings") {
  CHECK(
      sent(StartRecording{"login"}) ==
      R"({"commandId":"start_recording_1700000000000","taskId":"cli-record-start","source":"clawperator-cli","expectedFormat":"android-ui-automator","timeoutMs":10000,"actions":[{"id":"a1","type":"start_recording","params":{"sessionId":"login"}}]})");
  CHECK(
      sent(StopRecording{}) ==
      R"({"commandId":"stop_recording_1700000000000","taskId":"cli-record-stop","source":"clawperator-cli","expectedFormat":"android-ui-automator","timeoutMs":15000,"actions":[{"id":"a1","type":"stop_recording","params":{}}]})");
}

TEST_CASE("execution: an action is judged as a payload is, the Operator in use included") {
  CHECK(sent(CloseApp{" "}) == "close_app requires params.applicationId");
  CHECK(sent(WaitForNode{Selector()}) == "Matcher must have at least one field");
  CHECK(sent(WaitForNode{}) == "wait_for_node requires params.matcher");
  const auto own = execution_of(CloseApp{"a.operator"}, {}, std::nullopt, "a.operator");
  REQUIRE_FALSE(own);
  CHECK(own.error().code() == errc::execution_validation_failed);
  const auto large =
      execution_of(Screenshot{.path = std::string(64000, 'x')}, {}, std::nullopt, kOperator);
  REQUIRE_FALSE(large);
  CHECK(large.error().code() == errc::payload_too_large);
}

TEST_CASE("execution: a payload's timeout can be replaced, within bounds") {
  constexpr std::string_view kPayload =
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":1000,"actions":[{"id":"a","type":"snapshot"}]})";
  CHECK(judge_payload(kPayload, std::nullopt, kOperator)->timeout_ms == 1000);
  CHECK(judge_payload(kPayload, 2000, kOperator)->timeout_ms == 2000);
  CHECK(judge_payload(kPayload, 1, kOperator).error().message() ==
        "timeoutMs must be between 1000 and 120000");
}

TEST_CASE("execution: the screen afterwards is looked at in the same plan, in a step of its own") {
  const auto plan = execution_of(PressKey{"home"}, {1700000000000, "abcd123"}, std::nullopt,
                                 kOperator, ThenLook{std::chrono::milliseconds(50)});
  REQUIRE(plan);
  CHECK(
      to_json(*plan) ==
      R"({"commandId":"press_key_1700000000000","taskId":"cli-action-press-key","source":"clawperator-cli","expectedFormat":"android-ui-automator","timeoutMs":10050,"actions":[{"id":"a1","type":"press_key","params":{"key":"home"}},{"id":"settle","type":"sleep","params":{"durationMs":50}},{"id":"look","type":"snapshot_ui"}]})");
  const auto at_once = execution_of(PressKey{"home"}, {}, std::nullopt, kOperator,
                                    ThenLook{std::chrono::milliseconds(0)});
  CHECK(at_once->actions.size() == 2);
  const auto wait = execution_of(WaitForNavigation{.expected_package = "a.b", .timeout_ms = 30000},
                                 {}, std::nullopt, kOperator, ThenLook{std::chrono::seconds(10)});
  CHECK(wait->timeout_ms == 45000);
}

TEST_CASE("patience: the tries of a search are four a second, ten at most", "[D4]") {
  using std::chrono::milliseconds;
  struct Row {
    int patience;
    double tries, pause;
  };
  for (const Row& row :
       {Row{0, 1, 0}, {1, 2, 1}, {250, 2, 250}, {500, 3, 250}, {2000, 9, 250}, {9000, 10, 1000}}) {
    const Retry retry = retry_for(milliseconds(row.patience));
    INFO(row.patience);
    CHECK(retry.max_attempts == row.tries);
    CHECK(retry.initial_delay_ms == row.pause);
  }
}
