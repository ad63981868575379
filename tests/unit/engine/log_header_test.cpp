#include <catch2/catch.hpp>

#include "runtime/engine/log_stream.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using adbproto::Errc;

TEST_CASE("log header: boot id, serial number and the device's time", "[engine]") {
  struct Row {
    const char* name;
    const char* line;
    DeviceFacts facts;
  };
  const auto row = GENERATE(values<Row>({
      {"whole", "b-1|S1|1700000000.123456789", {"b-1", "S1", 1700000000, 123456789}},
      {"carriage return", "b-1|S1|1700000000.000000001\r", {"b-1", "S1", 1700000000, 1}},
      {"no boot id, no serial", "||1700000000.5", {"", "", 1700000000, 500000000}},
      {"microseconds, as Android's sh tells them",
       "b|S|1700000000.000123",
       {"b", "S", 1700000000, 123000}},
      {"ten digits", "b|S|1700000000.1234567890", {"b", "S", 1700000000, 0}},
      {"date without %N", "b|S|1700000000.N", {"b", "S", 1700000000, 0}},
      {"date that keeps %N", "b|S|1700000000.%N", {"b", "S", 1700000000, 0}},
      {"no fraction", "b|S|1700000000", {"b", "S", 1700000000, 0}},
      {"nine characters that are no number", "b|S|1700000000.12345678x", {"b", "S", 1700000000, 0}},
  }));
  INFO(row.name);
  const auto facts = parse_log_header(row.line);
  REQUIRE(facts);
  CHECK(facts->boot_id == row.facts.boot_id);
  CHECK(facts->serialno == row.facts.serialno);
  CHECK(facts->sec == row.facts.sec);
  CHECK(facts->nsec == row.facts.nsec);
}

TEST_CASE("log header: anything else means that there is no log", "[engine]") {
  const std::string line = GENERATE("", "|", "a|b", "a|b|", "a|b|x", "a|b|-1.000000000",
                                    "a|b|99999999999.0", "/system/bin/sh: read: not found");
  INFO(line);
  const auto facts = parse_log_header(line);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().code() == Errc::logcat_unavailable);
  CHECK_THAT(facts.error().message(), Catch::Contains(line));
}
