#include "simdroid/operator/recording.hpp"

#include <sstream>

#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

namespace {

constexpr const char* kFolder = "/sdcard/Android/data/com.clawperator.operator/files/recordings/";

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("recording: a session is a header and one line per event") {
  Bench bench({.wall_offset_ms = 1'700'000'000'000});
  const Json started = bench.step("start_recording", R"({"sessionId":"s-1"})");
  CHECK(started["data"]["sessionId"] == "s-1");
  CHECK(started["data"]["filePath"] == std::string(kFolder) + "s-1.ndjson");
  CHECK(bench.of_kind(LogKind::recording).front()->tag == "RecordingRuntime");
  bench.advance(1s);
  bench.step("open_app", R"({"applicationId":"com.android.settings"})");
  bench.world.swipe({540, 1800}, {540, 1700});
  bench.step("click", R"({"matcher":{"textEquals":"Search settings"}})");
  bench.step("enter_text", R"({"matcher":{"role":"textfield"},"text":"wifi"})");
  bench.step("press_key", R"({"key":"back"})");
  const Json stopped = bench.step("stop_recording", "{}");
  CHECK(stopped["data"]["sessionId"] == "s-1");
  CHECK(bench.files.at(std::string(kFolder) + "latest") == "s-1");

  const auto lines = lines_of(bench.files.at(std::string(kFolder) + "s-1.ndjson"));
  REQUIRE(lines.size() == 8);
  CHECK(stopped["data"]["eventCount"] == "7");
  CHECK(lines[0].dump() ==
        R"({"type":"recording_header","schemaVersion":1,"sessionId":"s-1",)"
        R"("startedAt":1700000000000,"operatorPackage":"com.clawperator.operator"})");
  std::vector<std::string> types;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    types.push_back(lines[i]["type"]);
    CHECK(lines[i]["seq"] == i - 1);
    CHECK(lines[i]["ts"] == 1'700'000'001'000);
    CHECK(lines[i].contains("snapshot"));
  }
  CHECK(types == std::vector<std::string>{"window_change", "scroll", "click", "window_change",
                                          "text_change", "press_key", "window_change"});
  CHECK(lines[1]["packageName"] == "com.android.settings");
  CHECK(lines[1]["className"] == "com.android.settings.Settings");
  CHECK(lines[2]["scrollY"] == 100);
  CHECK(lines[2]["snapshot"].is_null());
  // The click is recorded before its consequences: the snapshot still shows the old screen.
  CHECK(lines[3]["bounds"].contains("left"));
  CHECK(lines[3]["contentDesc"].is_null());
  CHECK(lines[3]["snapshot"].get<std::string>().find("Network &amp; internet") !=
        std::string::npos);
  CHECK(lines[5]["text"] == "wifi");
  CHECK(lines[6]["key"] == "back");
}

TEST_CASE("recording: a session without a name gets one") {
  Bench bench({.wall_offset_ms = 5000});
  const std::string id = bench.step("start_recording")["data"]["sessionId"];
  CHECK(id.starts_with("record-5000-"));
  CHECK(id.size() == std::string("record-5000-").size() + 8);
}

TEST_CASE("recording: each documented failure") {
  Bench bench;
  const auto error = [&](const char* type, const char* params = "{}") {
    const Json step = bench.step(type, params);
    CHECK(step["success"] == false);
    return step["data"]["error"].get<std::string>();
  };
  CHECK(error("stop_recording") == "RECORDING_NOT_IN_PROGRESS");
  CHECK(error("start_recording", R"({"sessionId":"../escape"})") == "RECORDING_START_FAILED");
  bench.app.facts().storage_available = false;
  CHECK(error("start_recording") == "RECORDING_STORAGE_UNAVAILABLE");
  bench.app.facts().storage_available = true;
  bench.step("start_recording", R"({"sessionId":"one"})");
  CHECK(error("start_recording") == "RECORDING_ALREADY_IN_PROGRESS");
  CHECK(error("stop_recording", R"({"sessionId":"other"})") == "RECORDING_NOT_IN_PROGRESS");
  bench.app.facts().storage_available = false;
  CHECK(error("stop_recording") == "RECORDING_STOP_FAILED");
  bench.app.facts().storage_available = true;
  CHECK(bench.step("stop_recording")["success"] == true);
}
