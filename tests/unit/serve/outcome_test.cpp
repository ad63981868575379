#include "runtime/serve/outcome.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"

using namespace clawperator;
using namespace clawperator::serve;

namespace {

const Execution kExecution{
    .command_id = "c", .task_id = "t", .source = "s", .actions = {}, .mode = {}};

Result<ExecuteResult> failed(Errc code, std::string members) {
  return fail(code, "it failed", std::move(members));
}

}  // namespace

TEST_CASE("outcome: an envelope that has failed is still an answer", "[serve]") {
  ExecuteResult result;
  result.envelope.command_id = "c";
  result.device_id = "A";
  const OutcomeReport report = report_of(result, "A", nullptr, "{}");
  CHECK(report.status == 200);
  CHECK(report.answer.starts_with(R"({"ok":true,"envelope":{"commandId":"c")"));
  CHECK(
      report.answer.ends_with(R"("deviceId":"A","failed":{"step":null,"code":"EXECUTION_FAILED"},)"
                              R"("terminalSource":"clawperator_result"})"));
}

TEST_CASE("outcome: the failed step is the one that the code is of", "[serve]") {
  ExecuteResult result;
  result.device_id = "A";
  result.envelope.error_code = "NODE_NOT_FOUND";
  result.envelope.step_results = {{.id = "a",
                                   .action_type = "take_screenshot",
                                   .success = false,
                                   .data = {{"error", "SCREENSHOT_CAPTURE_FAILED"}}},
                                  {.id = "b",
                                   .action_type = "read_text",
                                   .success = false,
                                   .data = {{"error", "NODE_NOT_FOUND"}}}};
  CHECK(report_of(result, "A", nullptr, "{}")
            .answer.contains(R"("failed":{"step":"b","code":"NODE_NOT_FOUND"})"));
}

TEST_CASE("outcome: an error names the device where one is known", "[serve]") {
  const auto result = failed(errc::device_not_found, "");
  const OutcomeReport report = report_of(result, std::nullopt, nullptr, "{}");
  CHECK(report.status == 404);
  CHECK(report.answer ==
        R"({"ok":false,"error":{"code":"DEVICE_NOT_FOUND","message":"it failed"}})");
  CHECK(report_of(result, "A", nullptr, "{}").answer.ends_with(R"(,"deviceId":"A"})"));
}

TEST_CASE("outcome: a result is reported once something was dispatched, and not before",
          "[serve]") {
  const auto before =
      failed(errc::logcat_unavailable, R"({"details":{"dispatchAttempted":false}})");
  CHECK_FALSE(report_of(before, "A", &kExecution, "{}").result);
  const auto unknown = failed(errc::no_devices, "");
  CHECK_FALSE(report_of(unknown, std::nullopt, &kExecution, "{}").result);
  const auto after = failed(errc::result_envelope_timeout,
                            R"({"hint":"look","details":{"dispatchAttempted":true}})");
  CHECK(report_of(after, "A", &kExecution, "{}").result ==
        R"({"deviceId":"A","envelope":{"commandId":"c","taskId":"t","status":"failed",)"
        R"("stepResults":[],"error":"RESULT_ENVELOPE_TIMEOUT","hint":"look"}})");
}

TEST_CASE("outcome: an execution's event has its device, or none", "[serve]") {
  const auto result = failed(errc::no_devices, "");
  CHECK(report_of(result, std::nullopt, nullptr, "{}").execution ==
        R"({"deviceId":null,"input":{},"result":)"
        R"({"ok":false,"error":{"code":"NO_DEVICES","message":"it failed"}}})");
}

TEST_CASE("outcome: all readers get the same, and what could not be judged has no result",
          "[serve]") {
  ExecuteResult done;
  done.device_id = "A";
  const Result<ExecuteResult> result = done;
  const OutcomeReport report = report_of(result, "A", &kExecution, "{}");
  CHECK(report.status == 200);
  REQUIRE(report.result);
  CHECK(report.execution == R"({"deviceId":"A","input":{},"result":)" + report.answer + "}");
  const auto refused = failed(errc::execution_validation_failed, "");
  CHECK_FALSE(report_of(refused, std::nullopt, nullptr, "7").result);
}

TEST_CASE("outcome: an execution is reported without its secrets", "[serve][secrets]") {
  Execution execution = kExecution;
  for (const char* text : {"marked", "learned", "open"}) {
    execution.actions.emplace_back(EnterText{.text = text});
  }
  execution.actions.front().as<EnterText>()->secret = true;
  ExecuteResult done;
  done.secrets.add("learned");
  const std::string report = published_execution(execution, done);
  CHECK_FALSE(report.contains("marked"));
  CHECK_FALSE(report.contains("learned"));
  CHECK(report.contains("open"));
  CHECK(published_execution(execution, failed(errc::no_devices, "")).contains("learned"));
}

TEST_CASE("outcome: large is what holds a large tree", "[serve]") {
  ExecuteResult done;
  done.envelope.step_results.emplace_back().data = {{"text", std::string(1 << 18, 'x')}};
  CHECK_FALSE(is_large(Result<ExecuteResult>(done)));
  done.envelope.step_results.front().data.emplace_back("more", "x");
  CHECK(is_large(Result<ExecuteResult>(done)));
  CHECK_FALSE(is_large(failed(errc::no_devices, "")));
}
