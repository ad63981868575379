#include "runtime/act/input_body.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/engine/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::act;

namespace {

Result<DeviceInput> read(const std::string& text) { return read_input(*read_json(text, 1 << 20)); }

std::vector<Words> calls_of(const std::string& text) {
  const auto input = read(text);
  REQUIRE(input);
  return input->calls;
}

}  // namespace

TEST_CASE("input body: each kind becomes calls of the device's input", "[act]") {
  CHECK(calls_of(R"({"type":"tap","x":540,"y":1200})") ==
        std::vector<Words>{{"tap", "540", "1200"}});
  CHECK(calls_of(R"({"type":"tap","x":0,"y":32767.0})") ==
        std::vector<Words>{{"tap", "0", "32767"}});
  CHECK(calls_of(R"({"type":"swipe","x1":1,"y1":2,"x2":3,"y2":4})") ==
        std::vector<Words>{{"swipe", "1", "2", "3", "4"}});
  CHECK(calls_of(R"({"type":"swipe","x1":1,"y1":2,"x2":1,"y2":2,"durationMs":800})") ==
        std::vector<Words>{{"swipe", "1", "2", "1", "2", "800"}});
  CHECK(calls_of(R"({"type":"key","key":"KEYCODE_BACK"})") ==
        std::vector<Words>{{"keyevent", "4"}});
  CHECK(calls_of(R"({"type":"key","key":"26"})") == std::vector<Words>{{"keyevent", "26"}});
  CHECK(calls_of(R"({"type":"key","key":26})") == std::vector<Words>{{"keyevent", "26"}});
  CHECK(calls_of(R"({"type":"text","text":"a b"})") == std::vector<Words>{{"text", "a%sb"}});
  CHECK(calls_of(R"({"type":"text","text":"100%sure"})") ==
        std::vector<Words>{{"text", "100%"}, {"text", "sure"}});
}

TEST_CASE("input body: a long swipe is waited for longer", "[act]") {
  const auto tap = read(R"({"type":"tap","x":1,"y":1})");
  const auto swipe = read(R"({"type":"swipe","x1":1,"y1":2,"x2":3,"y2":4,"durationMs":10000})");
  REQUIRE(tap);
  REQUIRE(swipe);
  CHECK(swipe->limit - tap->limit == std::chrono::milliseconds(10000));
}

TEST_CASE("input body: events get all but the letters of a text", "[act]") {
  const auto key = read(R"({"type":"key","key":"KEYCODE_BACK"})");
  const auto text = read(R"({"type":"text","text":"hunter2"})");
  REQUIRE(key);
  REQUIRE(text);
  CHECK(key->description == R"({"type":"key","key":"KEYCODE_BACK"})");
  CHECK(text->description == R"({"type":"text","length":7})");
}

TEST_CASE("input body: what breaks the form is refused", "[act]") {
  const auto* text = GENERATE(
      R"({})", R"({"type":null})", R"({"type":"pinch"})", R"({"type":"Tap","x":1,"y":1})",
      R"({"type":"tap"})", R"({"type":"tap","x":1})", R"({"type":"tap","x":1,"y":"1"})",
      R"({"type":"tap","x":1,"y":-1})", R"({"type":"tap","x":1,"y":1.5})",
      R"({"type":"tap","x":1,"y":32768})", R"({"type":"tap","x":1,"y":1e300})",
      R"({"type":"tap","x":1,"y":null})", R"({"type":"tap","x":1,"y":true})",
      R"({"type":"tap","x":1,"y":1,"z":1})", R"({"type":"tap","x":1,"y":1,"":1})",
      R"({"type":"tap","x":1,"y":1,"durationMs":1})", R"({"type":"swipe","x1":1,"y1":2,"x2":3})",
      R"({"type":"swipe","x1":1,"y1":2,"x2":3,"y2":4,"durationMs":10001})",
      R"({"type":"swipe","x1":1,"y1":2,"x2":3,"y2":4,"durationMs":"x"})", R"({"type":"key"})",
      R"({"type":"key","key":""})", R"({"type":"key","key":"BACK"})", R"({"type":"key","key":0})",
      R"({"type":"key","key":4.5})", R"({"type":"key","key":[4]})",
      R"({"type":"key","key":"KEYCODE_NOSUCH"})", R"({"type":"text"})",
      R"({"type":"text","text":""})", R"({"type":"text","text":7})",
      R"({"type":"text","text":"a","x":1})");
  CAPTURE(text);
  const auto input = read(text);
  REQUIRE_FALSE(input);
  CHECK(input.error().code() == errc::invalid_input);
}

TEST_CASE("input body: a text has its bound", "[act]") {
  const auto body = [](std::size_t size) {
    return R"({"type":"text","text":")" + std::string(size, 'a') + R"("})";
  };
  CHECK(calls_of(body(1000)).size() == 10);
  const auto long_one = read(body(1001));
  REQUIRE_FALSE(long_one);
  CHECK(long_one.error().code() == errc::invalid_input);
}

TEST_CASE("input body: what cannot be typed has a code of its own", "[act]") {
  const auto* text = GENERATE("gr\xc3\xbc\xc3\x9f", "a\\nb", "a\\tb", "\\u0000");
  CAPTURE(text);
  const auto input = read(R"({"type":"text","text":")" + std::string(text) + R"("})");
  REQUIRE_FALSE(input);
  CHECK(input.error().code() == errc::input_text_unsupported);
}
