#include "simdroid/device/logcat_format.hpp"

#include <catch2/catch.hpp>

#include "unit/simdroid/userland_support.hpp"

using namespace simdroid;
using simdroid::testing::sample_time;

namespace {

LogEntry sample(std::string message = "hello") {
  return {LogBufferId::main, 1234, 1240, 10050, sample_time(), LogPriority::info, "Tag",
          std::move(message)};
}

std::string text(const LogEntry& entry, std::vector<std::string> words) {
  LogFormat format;
  for (const std::string& word : words) REQUIRE(apply_format_word(&format, word));
  std::string out;
  append_log_text(&out, entry, format);
  return out;
}

}  // namespace

TEST_CASE("log format: every layout prints as Android's logcat") {
  CHECK(text(sample(), {"brief"}) == "I/Tag     ( 1234): hello\n");
  CHECK(text(sample(), {"tag"}) == "I/Tag     : hello\n");
  CHECK(text(sample(), {"raw"}) == "hello\n");
  CHECK(text(sample(), {"time"}) == "01-02 03:04:05.678 I/Tag     ( 1234): hello\n");
  CHECK(text(sample(), {"threadtime"}) == "01-02 03:04:05.678  1234  1240 I Tag     : hello\n");
  CHECK(text(sample(), {"long"}) == "[ 01-02 03:04:05.678  1234: 1240 I/Tag      ]\nhello\n\n");
  CHECK(text(sample(), {"threadtime", "epoch"}) ==
        "         1767323045.678  1234  1240 I Tag     : hello\n");
  CHECK(text(sample(), {"time", "usec"}) == "01-02 03:04:05.678901 I/Tag     ( 1234): hello\n");
}

TEST_CASE("log format: every line of a message has its own prefix, a last newline none") {
  CHECK(text(sample("a\nb"), {"tag"}) == "I/Tag     : a\nI/Tag     : b\n");
  CHECK(text(sample("a\n\nb\n"), {"tag"}) == "I/Tag     : a\nI/Tag     : \nI/Tag     : b\n");
  CHECK(text(sample(""), {"tag"}).empty());
}

TEST_CASE("log format: a binary record is laid out as version 4") {
  std::string out;
  append_log_record(&out, sample("hi"));
  const std::string expected(
      "\x08\x00\x1c\x00\xd2\x04\x00\x00\xd8\x04\x00\x00\xa5\x35\x57\x69\xf2\x35\x77\x28"
      "\x00\x00\x00\x00\x42\x27\x00\x00\x04Tag\0hi\0",
      36);
  CHECK(out == expected);
}

TEST_CASE("log format: -T takes back what -v prints") {
  const WallTime now = sample_time();
  LogFormat format;
  for (const char* word : {"usec", "epoch"}) {
    REQUIRE(apply_format_word(&format, word));
    std::string printed = format_log_time(now, format);
    printed.erase(0, printed.find_first_not_of(' '));
    INFO(printed);
    const auto read = parse_log_time(printed, now);
    REQUIRE(read);
    CHECK(read->time == now - std::chrono::nanoseconds(234));
    CHECK(read->rest.empty());
  }
  const auto read = parse_log_time("01-02 03:04:05.678", now);
  REQUIRE(read);
  CHECK(read->time == now - std::chrono::nanoseconds(901'234));
}

TEST_CASE("log format: what follows a time is recognised", "[T2]") {
  const auto read = parse_log_time("1767323045.678901|01-02 03:04:05", sample_time());
  REQUIRE(read);
  CHECK(read->time == sample_time() - std::chrono::nanoseconds(234));
  CHECK(read->rest == "|01-02 03:04:05");
}

TEST_CASE("log format: what is no time is refused") {
  for (const char* bad :
       {"", "x", "01-02", "01-02 3:04:05.0", "13-01 00:00:00.000", "01-02 25:00:00.000",
        "2026-01-02", "12.x", "-5", "99999999999999999999", "01-02 03:04:05.", ".5"}) {
    INFO(bad);
    CHECK_FALSE(parse_log_time(bad, sample_time()).has_value());
  }
}

TEST_CASE("log format: an unknown word is refused") {
  LogFormat format;
  CHECK_FALSE(apply_format_word(&format, "fancy"));
}
