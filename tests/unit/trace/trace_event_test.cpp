#include "runtime/trace/trace_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/contract/secrets.hpp"

using namespace clawperator;
using namespace std::chrono_literals;
using Kind = TraceEvent::Kind;

namespace {

constexpr TraceTime kTime{1'234'567'890'123ns};

}  // namespace

// The members are those of the Trace Event Format: ph, name, cat, pid, tid, ts and dur in
// microseconds, s for the scope of an instant.
TEST_CASE("trace event: each kind has the members that the format wants", "[unit]") {
  CHECK(
      encode_event({.kind = Kind::complete,
                    .name = "device",
                    .category = "phase",
                    .track = Track{3},
                    .at = kTime,
                    .duration = 1'500'007ns},
                   42) ==
      R"({"ph":"X","name":"device","cat":"phase","pid":42,"tid":3,"ts":1234567890.123,"dur":1500.007})");
  CHECK(
      encode_event({.kind = Kind::begin,
                    .name = "click",
                    .track = Track{1},
                    .at = kTime,
                    .args = JsonObject().text("commandId", "c-1")},
                   42) ==
      R"({"ph":"B","name":"click","pid":42,"tid":1,"ts":1234567890.123,"args":{"commandId":"c-1"}})");
  CHECK(encode_event({.kind = Kind::end, .track = Track{1}, .at = kTime}, 42) ==
        R"({"ph":"E","pid":42,"tid":1,"ts":1234567890.123})");
  CHECK(encode_event({.name = "OPEN", .track = Track{1}, .at = TraceTime(5ns)}, 42) ==
        R"({"ph":"i","name":"OPEN","pid":42,"tid":1,"ts":0.005,"s":"t"})");
  CHECK(encode_event({.name = "clock", .at = TraceTime(1000ns)}, 42) ==
        R"({"ph":"i","name":"clock","pid":42,"tid":0,"ts":1.000,"s":"p"})");
  CHECK(encode_event({.kind = Kind::name,
                      .name = "thread_name",
                      .track = Track{7},
                      .args = JsonObject().text("name", "adb server")},
                     42) ==
        R"({"ph":"M","name":"thread_name","pid":42,"tid":7,"args":{"name":"adb server"}})");
}

TEST_CASE("trace event: whatever a name holds, the text is JSON", "[unit]") {
  const std::string name("a\"b\\c\n\x01\xff\xc3\xa9\0d", 12);
  const auto text = encode_event({.name = name, .args = JsonObject().text(name, name)}, 1);
  const auto read = nlohmann::json::parse(text);
  CHECK(read["name"] == std::string("a\"b\\c\n\x01\xef\xbf\xbd\xc3\xa9\0d", 14));
}

TEST_CASE("trace event: foreign text is clipped", "[unit]") {
  CHECK(clipped_for_trace(std::string(600, 'x')).size() == 512);
  CHECK(clipped_for_trace("short") == "short");
  CHECK(clipped_for_trace("shell:curl -H 'Authorization: Bearer x' https://h") ==
        "shell:curl -H 'Authorization: " + std::string(kMask) + "' https://h");
}
