#include "base/traceparent.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

constexpr std::string_view kExample = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

}  // namespace

TEST_CASE("traceparent: the W3C's example is read and written", "[unit]") {
  const auto parent = parse_traceparent(kExample);
  REQUIRE(parent);
  CHECK(parent->trace_id == "0af7651916cd43dd8448eb211c80319c");
  CHECK(parent->span_id == "b7ad6b7169203331");
  CHECK(parent->sampled);
  CHECK(to_string(*parent) == kExample);
}

// https://www.w3.org/TR/trace-context/ sections 3.2.2 and 3.2.4, and the cases of the W3C's own
// test suite.
TEST_CASE("traceparent: what the recommendation has ignored is ignored", "[unit]") {
  struct Row {
    const char* name;
    const char* text;
  };
  const Row row = GENERATE(values<Row>({
      {"nothing", ""},
      {"version ff", "ff-12345678901234567890123456789012-1234567890123456-01"},
      {"a version in capitals", "0A-12345678901234567890123456789012-1234567890123456-01"},
      {"a version that is no hex", "0.-12345678901234567890123456789012-1234567890123456-01"},
      {"a short version", "0-12345678901234567890123456789012-1234567890123456-01"},
      {"a long version", "000-12345678901234567890123456789012-1234567890123456-01"},
      {"more than version 00 has", "00-12345678901234567890123456789012-1234567890123456-01-what"},
      {"a dash too many", "00-12345678901234567890123456789012-1234567890123456-01-"},
      {"a text glued to a later version",
       "cc-12345678901234567890123456789012-1234567890123456-01.what-the-future-will-not-be"},
      {"a trace id of zeros", "00-00000000000000000000000000000000-1234567890123456-01"},
      {"a trace id in capitals", "00-ABCDEF78901234567890123456789012-1234567890123456-01"},
      {"a trace id that is no hex", "00-.2345678901234567890123456789012-1234567890123456-01"},
      {"a long trace id", "00-123456789012345678901234567890123-1234567890123456-01"},
      {"a short trace id", "00-1234567890123456789012345678901-1234567890123456-01"},
      {"a parent id of zeros", "00-12345678901234567890123456789012-0000000000000000-01"},
      {"a parent id that is no hex", "00-12345678901234567890123456789012-.234567890123456-01"},
      {"a long parent id", "00-12345678901234567890123456789012-12345678901234567-01"},
      {"a short parent id", "00-12345678901234567890123456789012-123456789012345-01"},
      {"flags that are no hex", "00-12345678901234567890123456789012-1234567890123456-.0"},
      {"flags in capitals", "00-12345678901234567890123456789012-1234567890123456-0F"},
      {"long flags", "00-12345678901234567890123456789012-1234567890123456-001"},
      {"short flags", "00-12345678901234567890123456789012-1234567890123456-1"},
      {"blanks around it", " 00-12345678901234567890123456789012-1234567890123456-01"},
      {"another delimiter", "00_12345678901234567890123456789012_1234567890123456_01"},
  }));
  INFO(row.name);
  CHECK_FALSE(parse_traceparent(row.text));
}

TEST_CASE("traceparent: of the flags only `sampled` is known", "[unit]") {
  const auto sampled = [](std::string_view flags) {
    const std::string text = "00-12345678901234567890123456789012-1234567890123456-";
    const auto parent = parse_traceparent(text + std::string(flags));
    REQUIRE(parent);
    return to_string(*parent).substr(53);
  };
  CHECK(sampled("00") == "00");
  CHECK(sampled("01") == "01");
  CHECK(sampled("09") == "01");
  CHECK(sampled("08") == "00");
  CHECK(sampled("ff") == "01");
}

TEST_CASE("traceparent: a later version is read as far as this one goes", "[unit]") {
  const auto [text] = GENERATE(table<std::string>(
      {{"cc-12345678901234567890123456789012-1234567890123456-01"},
       {"cc-12345678901234567890123456789012-1234567890123456-01-what-the-future-will-be-like"}}));
  const auto parent = parse_traceparent(text);
  REQUIRE(parent);
  CHECK(to_string(*parent) == "00-12345678901234567890123456789012-1234567890123456-01");
}

TEST_CASE("traceparent: a span id is 16 digits and never zero", "[unit]") {
  CHECK(encode_span_id({0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7}) == "00f067aa0ba902b7");
  CHECK(encode_span_id({}) == "0000000000000001");
  CHECK(new_span_id().size() == 16);
  CHECK(new_span_id() != new_span_id());
}
