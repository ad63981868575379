#include "runtime/log/log_reader.hpp"

#include <time.h>

#include <catch2/catch.hpp>

#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace adbproto;
using adbproto::testing::Variable;
using namespace std::chrono_literals;

namespace {

// 2026-11-22T08:00:00Z
const LogTime kEight(std::chrono::sys_days(std::chrono::year(2026) / 11 / 22) + 8h);

// A zone east of Greenwich without summer time, for as long as it lives.
class Zone {
 public:
  explicit Zone(const char* name) : variable_("TZ", name) { ::tzset(); }
  ~Zone() { ::tzset(); }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  Variable variable_;
};

}  // namespace

TEST_CASE("log filter: times with a zone") {
  CHECK(parse_timestamp("2026-11-22T08:00:00Z") == kEight);
  CHECK(parse_timestamp("2026-11-22T08:00Z") == kEight);
  CHECK(parse_timestamp("2026-11-22 08:00:00.250Z") == kEight + 250ms);
  CHECK(parse_timestamp("2026-11-22T08:00:00.123456Z") == kEight + 123ms);
  CHECK(parse_timestamp("2026-11-22T10:00:00+02:00") == kEight);
  CHECK(parse_timestamp("2026-11-22T03:30:00-0430") == kEight);
}

TEST_CASE("log filter: times without a zone are local") {
  const Zone zone("XYZ-3");
  CHECK(parse_timestamp("2026-11-22T11:00:00") == kEight);
  CHECK(parse_timestamp("2026-11-22") == kEight - 11h);
  CHECK(local_day(kEight) == "2026-11-22");
  CHECK(local_day(kEight + 13h) == "2026-11-23");
}

TEST_CASE("log filter: what is no time") {
  for (const char* bad :
       {"", "2026", "2026-11", "2026-13-01", "2026-02-30", "2026-11-22T", "2026-11-22T8:00",
        "2026-11-22T25:00", "2026-11-22T08:60", "2026-11-22T08:00:00.", "2026-11-22T08:00:00X",
        "2026-11-22T08:00:00Zx", "2026-11-22T08:00+2", "22.11.2026", "yesterday"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_timestamp(bad));
  }
}

TEST_CASE("log filter: --since takes a time or an age") {
  CHECK(parse_since("10m", kEight) == kEight - 10min);
  CHECK(parse_since("2h", kEight) == kEight - 2h);
  CHECK(parse_since("1d", kEight) == kEight - 24h);
  CHECK(parse_since("30s", kEight) == kEight - 30s);
  CHECK(parse_since("1w", kEight) == kEight - 168h);
  CHECK(parse_since("2026-11-22T08:00:00Z", kEight + 1h) == kEight);
  for (const char* bad : {"", "m", "10", "10 m", "-5m", "1.5h", "10y", "99999999999h", "soon"}) {
    CAPTURE(bad);
    const auto since = parse_since(bad, kEight);
    REQUIRE_FALSE(since);
    CHECK(since.error().code() == errc::usage);
  }
}

TEST_CASE("log filter: without a condition every line passes, also what is no JSON") {
  CHECK(LogFilter{}.lets_through("not json"));
  CHECK(LogFilter{}.lets_through(""));
}

TEST_CASE("log filter: level means at least") {
  const LogFilter filter{.at_least = LogLevel::warn};
  CHECK_FALSE(filter.lets_through(R"({"level":"debug"})"));
  CHECK_FALSE(filter.lets_through(R"({"level":"info"})"));
  CHECK(filter.lets_through(R"({"level":"warn"})"));
  CHECK(filter.lets_through(R"({"level":"error"})"));
  CHECK_FALSE(filter.lets_through(R"({"level":7})"));
  CHECK_FALSE(filter.lets_through("{}"));
  CHECK_FALSE(filter.lets_through("not json"));
}

TEST_CASE("log filter: conditions hold together") {
  const LogFilter filter{.since = kEight, .command_id = "c-1"};
  CHECK(filter.lets_through(R"({"ts":"2026-11-22T08:00:00.000Z","commandId":"c-1"})"));
  CHECK_FALSE(filter.lets_through(R"({"ts":"2026-11-22T07:59:59.999Z","commandId":"c-1"})"));
  CHECK_FALSE(filter.lets_through(R"({"ts":"2026-11-22T09:00:00.000Z","commandId":"c-11"})"));
  CHECK_FALSE(filter.lets_through(R"({"ts":"2026-11-22T09:00:00.000Z"})"));
  CHECK_FALSE(filter.lets_through(R"({"commandId":"c-1"})"));
}
