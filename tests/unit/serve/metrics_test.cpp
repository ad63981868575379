#include "runtime/serve/metrics.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"

using namespace clawperator;
using namespace clawperator::serve;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr std::string_view kClick =
    R"({"id":"a","type":"click","params":{"coordinate":{"x":1,"y":2}}})";

Execution plan_of(std::string_view actions) {
  auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":2000,"actions":[)" +
      std::string(actions) + "]}");
  REQUIRE(execution);
  return *std::move(execution);
}

Result<ExecuteResult> answered(std::chrono::microseconds total, bool success = true) {
  ExecuteResult result;
  result.envelope.status = success ? EnvelopeStatus::success : EnvelopeStatus::failed;
  result.timings.total = total;
  return result;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("metrics: a quantile is exact within an eighth, the largest exactly", "[serve]") {
  Histogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(std::chrono::microseconds(i * 10));
  CHECK(histogram.count() == 1000);
  CHECK(histogram.largest() == 10000us);
  for (const auto& [share, exact] : {std::pair{0.5, 5000.0}, {0.95, 9500.0}, {0.99, 9900.0}}) {
    const auto reported = static_cast<double>(histogram.quantile(share).count());
    CHECK(reported >= exact);
    CHECK(reported <= exact * 1.125);
  }
}

TEST_CASE("metrics: every duration has a bucket, also those that cannot be", "[serve]") {
  Histogram histogram;
  CHECK(histogram.quantile(0.5) == 0us);
  for (const auto duration : {-5us, 0us, 1us, 7us, 8us}) histogram.add(duration);
  CHECK(histogram.quantile(0.2) == 0us);
  CHECK(histogram.quantile(0.8) == 7us);
  CHECK(histogram.quantile(1) == 8us);
  histogram.add(std::chrono::hours(1000));
  CHECK(histogram.quantile(1) == std::chrono::hours(1000));
}

TEST_CASE("metrics: what is counted is a device's, a verb's and a result's", "[serve]") {
  Metrics metrics;
  metrics.record(plan_of(kClick), "A", answered(2ms));
  metrics.record(plan_of(kClick), "A", answered(3ms, false));
  metrics.record(plan_of(kClick), "A", fail(errc::link_lost, ""));
  metrics.record(plan_of(std::string(kClick) + "," + R"({"id":"b","type":"snapshot_ui"})"), "B",
                 answered(70s));
  const std::string text = metrics.prometheus({.in_flight = 3, .devices = {{"device", 2}}});
  for (const char* line :
       {R"(clawperator_executions_total{device="A",verb="click",result="ok"} 1)",
        R"(clawperator_executions_total{device="A",verb="click",result="failed"} 1)",
        R"(clawperator_executions_total{device="A",verb="click",result="LINK_LOST"} 1)",
        R"(clawperator_executions_total{device="B",verb="plan",result="ok"} 1)",
        R"(clawperator_phase_seconds_bucket{verb="click",phase="total",le="0.001"} 0)",
        R"(clawperator_phase_seconds_bucket{verb="click",phase="total",le="0.0025"} 1)",
        R"(clawperator_phase_seconds_bucket{verb="click",phase="total",le="+Inf"} 2)",
        R"(clawperator_phase_seconds_sum{verb="click",phase="total"} 0.005000)",
        R"(clawperator_phase_seconds_bucket{verb="plan",phase="total",le="60"} 0)",
        R"(clawperator_phase_seconds_count{verb="plan",phase="total"} 1)",
        R"(clawperator_devices{state="device"} 2)", "clawperator_executions_in_flight 3"}) {
    INFO(line);
    CHECK(count(text, std::string(line) + "\n") == 1);
  }
}

TEST_CASE("metrics: what the device's own input was given is counted, too", "[serve]") {
  Metrics metrics;
  metrics.record_input("tap", "A", "A");
  metrics.record_input("tap", "A", "A");
  metrics.record_input("text", "A", fail(errc::input_failed, ""));
  const std::string text = metrics.prometheus({});
  CHECK(count(text,
              "clawperator_executions_total{device=\"A\",verb=\"input_tap\",result=\"ok\"} 2\n") ==
        1);
  CHECK(count(text, "{device=\"A\",verb=\"input_text\",result=\"INPUT_FAILED\"} 1\n") == 1);
}

TEST_CASE("metrics: no device's name breaks a line", "[serve]") {
  Metrics metrics;
  metrics.record(plan_of(kClick), "a\"b\\c\nd", answered(1ms));
  CHECK(count(metrics.prometheus({}), R"({device="a\"b\\c\nd",verb="click")") == 1);
}

TEST_CASE("metrics: of many devices those that something was done on last are kept", "[serve]") {
  Metrics metrics;
  for (std::size_t i = 0; i < Metrics::kMaxDevices; ++i) {
    metrics.record(plan_of(kClick), "phone-" + std::to_string(i), answered(1ms));
  }
  metrics.record(plan_of(kClick), "phone-0", answered(1ms));
  metrics.record(plan_of(kClick), "one more", answered(1ms));
  CHECK(metrics.stats("phone-0"));
  CHECK_FALSE(metrics.stats("phone-1"));
  CHECK(metrics.stats("one more"));
}

TEST_CASE("metrics: a device's stats have each verb's quantiles", "[serve]") {
  Metrics metrics;
  metrics.record(plan_of(kClick), "A", answered(5us));
  metrics.record(plan_of(kClick), "A", fail(errc::link_lost, ""));
  const auto stats = metrics.stats("A");
  REQUIRE(stats);
  const json document = json::parse(*stats);
  CHECK(document["deviceId"] == "A");
  CHECK(document["verbs"]["click"]["count"] == 2);
  CHECK(document["verbs"]["click"]["errors"] == 1);
  CHECK(document["verbs"]["click"]["micros"]["total"] ==
        json({{"p50", 5}, {"p95", 5}, {"p99", 5}, {"max", 5}}));
}
