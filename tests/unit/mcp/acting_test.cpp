#include "runtime/mcp/acting.hpp"

#include <catch2/catch.hpp>

#include "runtime/act/result.hpp"

using namespace clawperator;
using namespace clawperator::mcp;

namespace {

StepResult plan_step(std::string id, std::string type, bool success, StepData data) {
  return {.id = std::move(id),
          .action_type = std::move(type),
          .success = success,
          .data = std::move(data)};
}

// A picture that could not be taken, then a node that is not there.
ExecuteResult failed_twice() {
  ExecuteResult result;
  result.device_id = "phone";
  result.envelope.error = "No UI node found";
  result.envelope.error_code = "NODE_NOT_FOUND";
  result.envelope.step_results = {
      plan_step("a", "take_screenshot", false,
                {{"error", "SCREENSHOT_CAPTURE_FAILED"}, {"message", "screencap failed"}}),
      plan_step("b", "read_text", false,
                {{"errorCode", "NODE_NOT_FOUND"}, {"error", "No UI node found"}})};
  return result;
}

}  // namespace

TEST_CASE("mcp tree: a text is cut after a whole line, and says how many are missing") {
  CHECK(cut_lines("one\ntwo\n", 8) == "one\ntwo\n");
  CHECK(cut_lines("one\ntwo\nthree", 8) == "one\ntwo\n(1 more lines were left out: max_bytes)");
  CHECK(cut_lines("one\ntwo\nthree\n", 5) == "one\n(2 more lines were left out: max_bytes)");
  CHECK(cut_lines("one line that is long", 5) == "(1 more lines were left out: max_bytes)");
}

TEST_CASE("mcp steps: all that a step returned, without the plan's own parameters") {
  Envelope envelope;
  envelope.step_results = {
      plan_step("pair", "read_key_value_pair", true, {{"label", "Android"}, {"value", "16"}}),
      plan_step("shot", "take_screenshot", true, {{"path", "/tmp/a.png"}}),
      plan_step("film", "start_recording", true, {{"sessionId", "s"}, {"filePath", "/f"}}),
      plan_step("tap", "click", true,
                {{"matches", "2"},
                 {"taken", "@1"},
                 {"click_types", "click"},
                 {"target", "{}"},
                 {"candidate_count", "2"},
                 {"dispatch_method", "gesture"},
                 {"elapsed_ms", "7"}}),
      plan_step("key", "press_key", true, {{"key", "home"}})};
  CHECK(steps_json(envelope) ==
        R"([{"id":"pair","data":{"label":"Android","value":"16"}},)"
        R"({"id":"shot","data":{"path":"/tmp/a.png"}},)"
        R"({"id":"film","data":{"sessionId":"s","filePath":"/f"}},)"
        R"({"id":"tap","ms":7,"data":{"matches":"2","taken":"@1"}},{"id":"key"}])");
}

TEST_CASE("mcp steps: each failed step has its own code and message") {
  CHECK(steps_json(failed_twice().envelope) ==
        R"([{"id":"a","ok":false,"code":"SCREENSHOT_CAPTURE_FAILED","message":"screencap failed"},)"
        R"({"id":"b","ok":false,"code":"NODE_NOT_FOUND","message":"No UI node found"}])");
  Envelope envelope;
  envelope.step_results = {plan_step("c", "snapshot_ui", false,
                                     {{"error", "SNAPSHOT_EXTRACTION_FAILED"}, {"message", "m"}})};
  CHECK(steps_json(envelope) ==
        R"([{"id":"c","ok":false,"code":"SNAPSHOT_EXTRACTION_FAILED","message":"m"}])");
}

TEST_CASE("mcp steps: the step that ended a plan, its code and its message belong together") {
  ExecuteResult result = failed_twice();
  REQUIRE(act::ending_step(result.envelope));
  CHECK(act::ending_step(result.envelope)->id == "b");
  CHECK(failure_verdict(result).str() ==
        R"({"ok":false,"code":"NODE_NOT_FOUND","message":"No UI node found","device":"phone"})");
  result.envelope.step_results.pop_back();  // as of an app that reports no step of a missing node
  CHECK(act::ending_step(result.envelope) == nullptr);
  CHECK(failure_verdict(result).str().contains("No UI node found"));
  result.envelope.error = "Step a (take_screenshot) failed: SCREENSHOT_CAPTURE_FAILED";
  result.envelope.error_code.reset();
  REQUIRE(act::ending_step(result.envelope));
  CHECK(act::ending_step(result.envelope)->id == "a");
  CHECK(failure_verdict(result).str().starts_with(
      R"({"ok":false,"code":"SCREENSHOT_CAPTURE_FAILED","message":"screencap failed",)"));
}
