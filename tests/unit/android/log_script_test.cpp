#include <catch2/catch.hpp>

#include "runtime/android/errc.hpp"
#include "runtime/android/shell_lines.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;

using Catch::Contains;
using Catch::EndsWith;

namespace {

const std::string kBootId = "2f0a7c1e-5d0c-4f6a-9a3b-0123456789ab";

}  // namespace

TEST_CASE("log script: no pattern that mksh reads another way, and a start as logcat takes it",
          "[android][W4][F1]") {
  const std::string script = log_script({});
  CHECK_THAT(script, !Contains("%%") && !Contains("##") && !Contains("${"));
  CHECK_THAT(script, EndsWith("exec logcat $F -b main -T \"$T\""));
  CHECK_THAT(script, Contains("T=$E") && Contains("E=$EPOCHREALTIME"));
}

TEST_CASE("log script: Android 13 is read as text, all others binary", "[android][W3]") {
  CHECK(log_shape({"", "", 33, 0, 0}) == LogShape::text);
  for (const int sdk : {0, 23, 32, 34, 36}) {
    CHECK(log_shape({"", "", sdk, 0, 0}) == LogShape::binary);
  }
  CHECK_THAT(log_script({}), Contains("[ \"$V\" = 33 ]&&F='-v threadtime -v epoch -v usec';"));
}

TEST_CASE("log script: what is known is trusted for that boot only", "[android]") {
  const std::string script = log_script({kBootId, "it's", 33});
  CHECK_THAT(script, Contains("if [ \"$B\" = " + kBootId +
                              " ];then S='it'\"'\"'s';V=33;else S=$(getprop "));
  CHECK_THAT(log_script({"$(reboot)", "S", 33}), !Contains("reboot"));
  CHECK(log_script({kBootId, "S", 0}) == log_script({}));
  CHECK_THAT(log_script({}, "1700000000.000000001"), Contains(";T=1700000000.000000001;"));
  CHECK(log_script({}, "1;reboot") == log_script({}));
}

TEST_CASE("log header: boot id, serial number and the device's time", "[android]") {
  struct Row {
    const char* name;
    const char* line;
    DeviceFacts facts;
  };
  const auto row = GENERATE(values<Row>({
      {"whole", "b-1|S1|34|1700000000.123456789", {"b-1", "S1", 34, 1700000000, 123456789}},
      {"carriage return", "b-1|S1|34|1700000000.000000001\r", {"b-1", "S1", 34, 1700000000, 1}},
      {"no boot id, no serial", "|||1700000000.5", {"", "", 0, 1700000000, 500000000}},
      {"microseconds, as Android's sh prints them",
       "b|S|29|1700000000.000123",
       {"b", "S", 29, 1700000000, 123000}},
      {"ten digits", "b|S|29|1700000000.1234567890", {"b", "S", 29, 1700000000, 0}},
      {"date without %N", "b|S|29|1700000000.N", {"b", "S", 29, 1700000000, 0}},
      {"date that keeps %N", "b|S|29|1700000000.%N", {"b", "S", 29, 1700000000, 0}},
      {"no fraction", "b|S|29|1700000000", {"b", "S", 29, 1700000000, 0}},
      {"nine characters that are no number",
       "b|S|29|1700000000.12345678x",
       {"b", "S", 29, 1700000000, 0}},
  }));
  INFO(row.name);
  const auto facts = parse_log_header(row.line);
  REQUIRE(facts);
  CHECK(facts->boot_id == row.facts.boot_id);
  CHECK(facts->serialno == row.facts.serialno);
  CHECK(facts->sdk == row.facts.sdk);
  CHECK(facts->sec == row.facts.sec);
  CHECK(facts->nsec == row.facts.nsec);
}

TEST_CASE("log header: anything else means that there is no log", "[android]") {
  const std::string line =
      GENERATE("", "|", "a|b", "a|b|1.0", "a|b|29|", "a|b|29|x", "a|b|29|-1.000000000",
               "a|b|29|99999999999.0", "a|b|29|1.0|", "/system/bin/sh: read: not found");
  INFO(line);
  const auto facts = parse_log_header(line);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().code() == errc::logcat_unavailable);
  CHECK_THAT(facts.error().message(), Catch::Contains(line));
}
