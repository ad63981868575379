#include "adbproto/wire/logcat.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

LogEntry entry(std::int32_t pid, std::int32_t tid, char priority, std::string tag,
               std::string message, std::string time = "") {
  return {pid, tid, priority, std::move(tag), std::move(message), std::move(time)};
}

}  // namespace

TEST_CASE("logcat text: a line's columns, its tag and what it says", "[wire]") {
  struct Case {
    const char* name;
    std::string_view line;
    LogEntry parsed;
  };
  const auto [name, line, parsed] = GENERATE(values<Case>({
      {"padded", "         1732226463.123  1234  5678 I E       : m",
       entry(1234, 5678, 'I', "E", "m", "1732226463.123")},
      {"long tag", "1732226463.123  1234  5678 E AndroidRuntime: FATAL EXCEPTION: main",
       entry(1234, 5678, 'E', "AndroidRuntime", "FATAL EXCEPTION: main", "1732226463.123")},
      {"microseconds, wide pids, colons in the tag",
       "1732226463.123456 123456 123457 I vendor.x@1.0::I: m",
       entry(123456, 123457, 'I', "vendor.x@1.0::I", "m", "1732226463.123456")},
      {"leading spaces of the message", "1732226463.123     1     2 I E       :   <node>",
       entry(1, 2, 'I', "E", "  <node>", "1732226463.123")},
      {"a colon in quotes", "1732226463.123     1     2 I E       : <node text=\"a: b\">",
       entry(1, 2, 'I', "E", "<node text=\"a: b\">", "1732226463.123")},
      {"colons in a row",
       "1732226463.123     1     2 I E    ::", entry(1, 2, 'I', "E", ":", "1732226463.123")},
      {"colons in a row before a message", "1732226463.123     1     2 I E::  x",
       entry(1, 2, 'I', "E", ":  x", "1732226463.123")},
      {"colon at the end",
       "1732226463.123     1     2 I T:", entry(1, 2, 'I', "T", "", "1732226463.123")},
  }));
  INFO(name);
  REQUIRE(parse_log_line(line));
  CHECK((*parse_log_line(line) == parsed));
}

TEST_CASE("logcat text: what is no log line is none", "[wire]") {
  const auto line = GENERATE(values<std::string_view>({
      "",
      "hello",
      "I/",
      "I/tag",
      "X/tag: m",
      "I/tag: m",
      "1732226463.123",
      "1732226463.123 ",
      "1732226463. 1 2 I x: y",
      "1732226463.123 1 I x: y",
      "1732226463.123 99999999999 1 I tag: m",
      "1732226463.123 1 2 X tag: m",
      "11-21 22:01:03.123 1234 5678 I tag: m",
      "--------- beginning of main",
  }));
  INFO(line);
  CHECK_FALSE(parse_log_line(line));
}

TEST_CASE("logcat text: every split of the log gives the same entries", "[wire]") {
  const auto read =
      read_every_split(LogcatTextReader(), as_bytes("--------- beginning of main\n"
                                                    "1.000    12    13 I E       : one\r\n"
                                                    "\n"
                                                    "logcat: what?\n"
                                                    "--------- switch to crash\n"
                                                    "1.000    12    13 I E       : \xc3\xa4\n"
                                                    "1.000    12    13 I E       : cut"));
  const std::vector<LogEntry> expected = {
      entry(12, 13, 'I', "E", "one", "1.000"),
      entry(-1, -1, '\0', "", "logcat: what?"),
      entry(12, 13, 'I', "E", "\xc3\xa4", "1.000"),
  };
  CHECK((read.items == expected));
}

TEST_CASE("logcat text: a last line without a line break is found at the end", "[wire]") {
  LogcatTextReader reader;
  reader.feed(as_bytes("1.000    12    13 I E       : last"));
  CHECK_FALSE(reader.next().value());
  CHECK((reader.finish() == entry(12, 13, 'I', "E", "last", "1.000")));
  CHECK_FALSE(reader.finish());
}

TEST_CASE("logcat text: an overlong line comes in pieces that say so", "[wire]") {
  const std::string head = "1.000    12    13 I E       : ";
  const std::string body(kMaxLogLine * 2, 'x');
  const std::string stream = head + body + "\r\n" + "1.000    12    13 I E       : next\n";
  for (const std::size_t step : {stream.size(), std::size_t{1000}, std::size_t{65537}}) {
    LogcatTextReader reader;
    std::vector<LogEntry> seen;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      reader.feed(as_bytes(std::string_view(stream).substr(at, step)));
      while (auto item = reader.next().value()) seen.push_back(*item);
      CHECK(reader.buffered() <= kMaxLogLine + step);
    }
    REQUIRE(seen.size() == 4);
    CHECK(seen[0].message.size() == kMaxLogLine - head.size());
    CHECK_FALSE(seen[0].continued);
    CHECK(seen[1].continued);
    CHECK(seen[2].continued);
    CHECK(seen[2].pid == 12);
    CHECK(seen[0].message + seen[1].message + seen[2].message == body);
    CHECK((seen[3] == entry(12, 13, 'I', "E", "next", "1.000")));
  }
}

TEST_CASE("logcat text: a line of exactly the limit is whole", "[wire]") {
  const std::string head = "1.000    12    13 I E       : ";
  const std::string line = head + std::string(kMaxLogLine - head.size(), 'x');
  for (const std::string_view ending : {"\n", "\r\n"}) {
    LogcatTextReader reader;
    reader.feed(as_bytes(line));
    CHECK_FALSE(reader.next().value());
    reader.feed(as_bytes(ending));
    const auto first = reader.next().value();
    REQUIRE(first);
    CHECK(first->message.size() == kMaxLogLine - head.size());
    CHECK_FALSE(reader.next().value());
    CHECK(reader.buffered() == 0);
  }
}
