#include "adbproto/wire/logcat_text.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

LogEntry entry(std::int32_t pid, std::int32_t tid, char priority, std::string tag,
               std::string message, std::string time = "") {
  return {pid, tid, priority, std::move(tag), std::move(message), std::move(time)};
}

}  // namespace

TEST_CASE("logcat text: each format's line, told or found out", "[wire]") {
  struct Case {
    const char* name;
    LogFormat format;
    std::string_view line;
    LogEntry parsed;
  };
  const auto [name, format, line, parsed] = GENERATE(values<Case>({
      {"brief", LogFormat::brief, "D/HeadsetStateMachine( 1785): Disconnected process",
       entry(1785, -1, 'D', "HeadsetStateMachine", "Disconnected process")},
      {"brief, padded tag", LogFormat::brief, "I/E       (12345): [TaskScope] UI",
       entry(12345, -1, 'I', "E", "[TaskScope] UI")},
      {"brief, parentheses in the tag", LogFormat::brief, "W/a(1)b   (   42): x(3): y",
       entry(42, -1, 'W', "a(1)b", "x(3): y")},
      {"brief, empty message", LogFormat::brief, "V/T       (    1): ", entry(1, -1, 'V', "T", "")},
      {"tag", LogFormat::tag, "I/E       : <node text=\"a: b\">",
       entry(-1, -1, 'I', "E", "<node text=\"a: b\">")},
      {"tag, message with a pid in it", LogFormat::tag, "I/T: see f(1): x",
       entry(-1, -1, 'I', "T", "see f(1): x")},
      {"tag, leading spaces of the message", LogFormat::tag, "I/E       :   <node>",
       entry(-1, -1, 'I', "E", "  <node>")},
      {"tag, colons in a row", LogFormat::tag, "I/E    ::", entry(-1, -1, 'I', "E", ":")},
      {"tag, colons in a row before a message", LogFormat::tag, "I/E::  x",
       entry(-1, -1, 'I', "E", ":  x")},
      {"time", LogFormat::time, "11-21 22:01:03.123 I/E       ( 1234): [Clawperator-Result] {}",
       entry(1234, -1, 'I', "E", "[Clawperator-Result] {}", "11-21 22:01:03.123")},
      {"threadtime", LogFormat::threadtime,
       "11-21 22:01:03.123  1234  5678 E AndroidRuntime: FATAL EXCEPTION: main",
       entry(1234, 5678, 'E', "AndroidRuntime", "FATAL EXCEPTION: main", "11-21 22:01:03.123")},
      {"threadtime, year, microseconds, zone, wide pids", LogFormat::threadtime,
       "2024-11-21 22:01:03.123456 +0100 123456 123457 I vendor.x@1.0::I: m",
       entry(123456, 123457, 'I', "vendor.x@1.0::I", "m", "2024-11-21 22:01:03.123456 +0100")},
      {"threadtime, colon at the end", LogFormat::threadtime,
       "11-21 22:01:03.123     1     2 I T:", entry(1, 2, 'I', "T", "", "11-21 22:01:03.123")},
      {"epoch", LogFormat::epoch, "         1732226463.123  1234  5678 I E       : m",
       entry(1234, 5678, 'I', "E", "m", "1732226463.123")},
  }));
  INFO(name);
  REQUIRE(parse_log_line(line, format));
  CHECK((*parse_log_line(line, format) == parsed));
  REQUIRE(parse_log_line(line));
  CHECK((*parse_log_line(line) == parsed));
}

TEST_CASE("logcat text: lines are printed as logcat prints them", "[wire]") {
  const auto sample = entry(1234, 5678, 'I', "E", "hello", "11-21 22:01:03.123");
  CHECK(format_log_line(sample, LogFormat::brief) == "I/E       ( 1234): hello");
  CHECK(format_log_line(sample, LogFormat::tag) == "I/E       : hello");
  CHECK(format_log_line(sample, LogFormat::time) == "11-21 22:01:03.123 I/E       ( 1234): hello");
  CHECK(format_log_line(sample, LogFormat::threadtime) ==
        "11-21 22:01:03.123  1234  5678 I E       : hello");
}

TEST_CASE("logcat text: what is no log line is none", "[wire]") {
  const auto line = GENERATE(values<std::string_view>({
      "",
      "hello",
      "I/",
      "I/tag",
      "X/tag: m",
      "11-21 22:01:03.123",
      "11-21 22:01:03.123 ",
      "11-21 22:01:03.123 1234 I tag: m",
      "1732226463.123 1 I x: y",
      "11-21 22:01:03.123 99999999999 1 I tag: m",
      "--------- beginning of main",
  }));
  INFO(line);
  CHECK_FALSE(parse_log_line(line));
  CHECK_FALSE(parse_log_line(line, LogFormat::threadtime));
}

TEST_CASE("logcat text: every split of the log gives the same entries", "[wire]") {
  const auto read = read_every_split(LogcatTextReader(), as_bytes("--------- beginning of main\n"
                                                                  "I/E       (   12): one\r\n"
                                                                  "\n"
                                                                  "logcat: what?\n"
                                                                  "--------- switch to crash\n"
                                                                  "I/E       (   12): \xc3\xa4\n"
                                                                  "I/E       (   12): cut"));
  const std::vector<LogEntry> expected = {
      entry(12, -1, 'I', "E", "one"),
      entry(-1, -1, '\0', "", "logcat: what?"),
      entry(12, -1, 'I', "E", "\xc3\xa4"),
  };
  CHECK((read.items == expected));
}

TEST_CASE("logcat text: a last line without a line break is found at the end", "[wire]") {
  LogcatTextReader reader(LogFormat::brief);
  reader.feed(as_bytes("I/E       (   12): last"));
  CHECK_FALSE(reader.next().value());
  CHECK((reader.finish() == entry(12, -1, 'I', "E", "last")));
  CHECK_FALSE(reader.finish());
}

TEST_CASE("logcat text: an overlong line comes in pieces that say so", "[wire]") {
  const std::string head = "I/E       (   12): ";
  const std::string body(kMaxLogLine * 2, 'x');
  const std::string stream = head + body + "\r\n" + "I/E       (   12): next\n";
  for (const std::size_t step : {stream.size(), std::size_t{1000}, std::size_t{65537}}) {
    LogcatTextReader reader(LogFormat::brief);
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
    CHECK((seen[3] == entry(12, -1, 'I', "E", "next")));
  }
}

TEST_CASE("logcat text: a line of exactly the limit is whole", "[wire]") {
  const std::string head = "I/E       (   12): ";
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
