#include <catch2/catch.hpp>
#include <string>

#include "runtime/host/errc.hpp"
#include "runtime/host/recording/export_json.hpp"
#include "runtime/host/recording/recording.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kHeader =
    R"({"type":"recording_header","schemaVersion":1,"sessionId":"s","startedAt":5,"operatorPackage":"op"})"
    "\n";

std::string click(const std::string& seq, const std::string& text) {
  return R"({"ts":1,"seq":)" + seq +
         R"(,"type":"click","packageName":"p","resourceId":null,"text":")" + text +
         R"(","contentDesc":null,"bounds":{"left":0,"top":1,"right":2,"bottom":3},"snapshot":"x"})"
         "\n";
}

std::string message_of(const std::string& text) {
  const auto parsed = parse_recording(text);
  return parsed ? "accepted" : parsed.error().message();
}

}  // namespace

TEST_CASE("recording: a header alone is a recording without events") {
  const auto parsed = parse_recording(kHeader);
  REQUIRE(parsed);
  CHECK(parsed->session_id == "s");
  CHECK(parsed->started_at == 5);
  CHECK(parsed->operator_package == "op");
  CHECK(parsed->events.empty());
  CHECK(steps_json(*parsed) == R"({"sessionId":"s","schemaVersion":1,"steps":[]})");
}

TEST_CASE("recording: line numbers in messages count lines that are not blank") {
  CHECK(message_of("\n \t\r\n" + kHeader + "\n\n{") == "Malformed NDJSON at line 2");
  CHECK(message_of(kHeader + click("0", "a") + "\r\n\n[") == "Malformed NDJSON at line 3");
  CHECK(message_of("\n\n \n") == "Empty recording file");
  CHECK(message_of("") == "Empty recording file");
}

TEST_CASE("recording: what may not be said of an event is refused in the published words") {
  struct Row {
    std::string line;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {"7", "Invalid event at line 2: missing required fields (ts, seq, type)"},
      {R"({"ts":null,"seq":1,"type":"click"})",
       "Invalid event at line 2: missing required fields (ts, seq, type)"},
      {R"({"ts":1,"seq":true,"type":"click"})",
       "Invalid event at line 2: missing required fields (ts, seq, type)"},
      {R"({"ts":1,"seq":1,"type":"window_change","packageName":null})",
       "Invalid window_change event at line 2: missing packageName"},
      {R"({"ts":1,"seq":1,"type":"click"})",
       "Invalid click event at line 2: missing required fields"},
      {R"({"ts":1,"seq":1,"type":"scroll","packageName":"p"})",
       "Invalid scroll event at line 2: missing required fields"},
      {R"({"ts":1,"seq":1,"type":"text_change","packageName":"p"})",
       "Invalid text_change event at line 2: missing required fields"},
      {R"({"ts":1,"seq":1,"type":"press_key","key":null})",
       "Invalid press_key event at line 2: missing or invalid key"},
      {R"({"ts":1,"seq":1,"type":"Click"})", "Unknown event type at line 2: Click"},
  }));
  CAPTURE(row.line);
  const auto parsed = parse_recording(kHeader + row.line);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code() == errc::recording_parse_failed);
  CHECK(parsed.error().message() == row.message);
}

TEST_CASE("recording: an unknown event type of any length makes a short message") {
  const std::string type(100'000, 'x');
  CHECK(message_of(kHeader + R"({"ts":1,"seq":1,"type":")" + type + "\"}").size() < 300);
}

TEST_CASE("recording: the schema version is judged after the header's members") {
  const auto parsed = parse_recording(
      R"({"type":"recording_header","schemaVersion":2,"sessionId":"s","startedAt":5,"operatorPackage":"o"})");
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code() == errc::recording_schema_version_unsupported);
  CHECK(message_of(R"({"type":"recording_header","schemaVersion":2})") ==
        "Missing or invalid recording header");
}

TEST_CASE("recording: events come by seq, those with the same seq as they were written") {
  const auto parsed = parse_recording(kHeader + click("2", "c") + click("1", "b") +
                                      click("2", "d") + click("-1.5", "a"));
  REQUIRE(parsed);
  std::string texts;
  for (const RecordedEvent& event : parsed->events) texts += *event.text;
  CHECK(texts == "abcd");
}

TEST_CASE("recording: a byte order mark, CR LF and broken UTF-8 do no harm") {
  std::string text = "\xef\xbb\xbf" + kHeader +
                     click("0",
                           "a\xff"
                           "b");
  text.insert(text.size() - 1, "\r");
  const auto parsed = parse_recording(text);
  REQUIRE(parsed);
  CHECK(parsed->events.front().text ==
        "a\xef\xbf\xbd"
        "b");
}

TEST_CASE("recording: bounds that no screen has are held within one") {
  const auto parsed = parse_recording(
      kHeader +
      R"({"ts":1,"seq":0,"type":"click","packageName":"p","resourceId":null,"text":null,"contentDesc":null,)"
      R"("bounds":{"left":-1e300,"top":0.6,"right":1e300,"bottom":9,"extra":[1]}})");
  REQUIRE(parsed);
  const RecordedEvent& event = parsed->events.front();
  CHECK(event.bounds == Bounds{-1'000'000, 1, 1'000'000, 9});
  CHECK(event.bounds_json == R"({"left":-1e+300,"top":0.6,"right":1e+300,"bottom":9,"extra":[1]})");
}

TEST_CASE("recording: hostile nesting, sizes and numbers are refused") {
  const std::string deep(100'000, '[');
  CHECK(message_of(kHeader + deep) == "Malformed NDJSON at line 2");
  CHECK(message_of(deep) == "Missing or invalid recording header");
  CHECK(message_of(kHeader + R"({"ts":1e999,"seq":1,"type":"press_key","key":"back"})") ==
        "Malformed NDJSON at line 2");
  CHECK(message_of(kHeader + std::string(kMaxRecordingLine + 1, 'x')) ==
        "Malformed NDJSON at line 2");
  CHECK(message_of(kHeader + std::string("{\"ts\":1,\0\"seq\":1}", 16)) ==
        "Malformed NDJSON at line 2");
}

TEST_CASE("recording: a session id is a plain word") {
  CHECK(is_session_id("record-1700000000000-0123abcd"));
  CHECK(is_session_id("A_b-9"));
  for (const std::string bad : {"", ".", "..", "a/b", "a.b", "a b", "a\n", "ä"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_session_id(bad));
  }
  CHECK_FALSE(is_session_id(std::string(201, 'a')));
  CHECK_FALSE(is_session_id(std::string("a\0b", 3)));
}

TEST_CASE("recording: the list of steps cannot be forged by what a phone writes") {
  const auto parsed = parse_recording(
      kHeader +
      R"({"ts":1,"seq":0,"type":"window_change","packageName":"p\n[9] click","snapshot":""})" +
      "\n" + click("1", "x\\n[8] click\\u001b[2J"));
  REQUIRE(parsed);
  CHECK(step_lines(*parsed) ==
        "[0] open_app   \"p\\n[9] click\"\n"
        "[1] click      p \"x\\n[8] click\\u001b[2J\"\n");
}

TEST_CASE("recording: warnings come in the published order") {
  const std::string scroll =
      R"("type":"scroll","packageName":"p","resourceId":null,"scrollX":0,"scrollY":0,"maxScrollX":0,"maxScrollY":0})"
      "\n";
  const auto parsed =
      parse_recording(kHeader + R"({"ts":1,"seq":9,)" + scroll +
                      R"({"ts":1,"seq":8,"type":"window_change","packageName":"p","snapshot":null})"
                      "\n"
                      R"({"ts":1,"seq":2,)" +
                      scroll + R"({"ts":1,"seq":1,"type":"window_change","packageName":"p"})");
  REQUIRE(parsed);
  CHECK(parsed->warnings ==
        std::vector<std::string>{
            "seq 8: snapshot missing on window_change event (uiStateBefore null)",
            "seq 1: snapshot missing on window_change event (uiStateBefore null)",
            "seq 2: scroll event dropped (not extracted in v1)",
            "seq 9: scroll event dropped (not extracted in v1)"});
}
