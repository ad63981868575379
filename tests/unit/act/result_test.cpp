#include "runtime/act/result.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

ExecuteResult result_of(std::vector<StepResult> steps,
                        EnvelopeStatus status = EnvelopeStatus::success) {
  ExecuteResult result{};
  result.device_id = "SERIAL";
  result.envelope.command_id = "command-1";
  result.envelope.status = status;
  result.envelope.step_results = std::move(steps);
  return result;
}

StepResult step_of(std::string id, std::string type, StepData data = {}, bool success = true) {
  return {.id = std::move(id),
          .action_type = std::move(type),
          .success = success,
          .data = std::move(data)};
}

}  // namespace

TEST_CASE("brief: an action without data is a verdict", "[act]") {
  CHECK(act::brief_json(result_of({step_of("a1", "click")}), {}) == R"({"ok":true})");
}

TEST_CASE("brief: what was read and the tree that followed, nothing of the wait between", "[act]") {
  const auto result = result_of(
      {step_of("a1", "read_text", {{"text", "A \"B\""}}),
       step_of("settle", "sleep", {{"duration_ms", "300"}}),
       step_of("look", "snapshot_ui", {{"actual_format", "compact"}, {"text", "p 1x1\n@1 x"}})});
  CHECK(act::brief_json(result, {}) ==
        R"({"ok":true,"data":{"text":"A \"B\""},"tree":"p 1x1\n@1 x"})");
}

TEST_CASE("brief: each of several steps has its id, a failed one its verdict", "[act]") {
  auto result = result_of({step_of("a", "read_text", {{"text", "1"}}), step_of("b", "click"),
                           step_of("c", "read_text", {{"error", "NODE_NOT_FOUND"}}, false)},
                          EnvelopeStatus::failed);
  result.envelope.error = "c failed";
  result.envelope.error_code = "NODE_NOT_FOUND";
  CHECK(act::brief_json(result, {}) ==
        R"({"ok":false,"steps":[{"id":"a","data":{"text":"1"}},{"id":"b"},)"
        R"({"id":"c","ok":false,"data":{"error":"NODE_NOT_FOUND"}}],)"
        R"("error":"c failed","code":"NODE_NOT_FOUND"})");
}

TEST_CASE("brief: no member is there twice", "[act]") {
  auto failed =
      result_of({step_of("look", "snapshot_ui", {{"error", "SNAPSHOT_EXTRACTION_FAILED"}}, false)},
                EnvelopeStatus::failed);
  failed.envelope.error = "no hierarchy";
  CHECK(act::brief_json(failed, {}) ==
        R"({"ok":false,"steps":[{"id":"look","ok":false,"error":"SNAPSHOT_EXTRACTION_FAILED"}],)"
        R"("error":"no hierarchy"})");
  const auto two = result_of({step_of("s1", "snapshot_ui", {{"text", "one"}}),
                              step_of("s2", "snapshot_ui", {{"text", "two"}})});
  CHECK(act::brief_json(two, {}) ==
        R"({"ok":true,"steps":[{"id":"s1","tree":"one"},{"id":"s2","tree":"two"}]})");
}

TEST_CASE("brief: requested members stand beside it", "[act]") {
  auto result = result_of({}, EnvelopeStatus::failed);
  result.envelope.error = "nothing matches";
  CHECK(act::brief_json(result, {.more = R"({"miss":{"foreground":"p"}})"}) ==
        R"({"ok":false,"error":"nothing matches","miss":{"foreground":"p"}})");
}
