#include "runtime/host/recording/recording_files.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/base64.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;

namespace {

// 1 x 1, as any encoder writes it.
constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg"
    "==";

std::string png() { return std::string(adbproto::as_text(adbproto::decode_base64(kPng).value())); }

Recording recording_of(const std::string& id) {
  return parse_recording(R"({"type":"recording_header","schemaVersion":1,"sessionId":")" + id +
                         R"(","startedAt":0,"operatorPackage":"o"})"
                         "\n"
                         R"({"ts":1,"seq":0,"type":"press_key","key":"back"})"
                         "\n"
                         R"({"ts":1,"seq":1,"type":"press_key","key":"back"})"
                         "\n"
                         R"({"ts":2,"seq":1,"type":"press_key","key":"back"})")
      .value();
}

}  // namespace

TEST_CASE("recording files: a screenshot belongs to the event of its seq, once") {
  const TempFolder folder;
  write_text(folder.file("s-1.png"), png());
  write_text(folder.file("s-7.png"), png());
  const auto read = read_pictures(recording_of("s"), folder.file("s.ndjson"));
  REQUIRE(read.pictures.size() == 1);
  CHECK(read.pictures[0].seq == 1);
  CHECK(read.pictures[0].width == 1);
  CHECK(read.pictures[0].base64 == kPng);
  CHECK(read.warnings.empty());
}

TEST_CASE("recording files: what is no whole picture is left out and said") {
  const TempFolder folder;
  write_text(folder.file("s-0.png"), "GIF89a");
  write_text(folder.file("s-1.png"), png().substr(0, 50));
  const auto read = read_pictures(recording_of("s"), folder.file("s.ndjson"));
  CHECK(read.pictures.empty());
  CHECK(read.warnings.size() == 2);
}

TEST_CASE("recording files: a session id that is a path finds no pictures") {
  const TempFolder folder;
  write_text(folder.file("a/s.ndjson"), "");
  write_text(folder.file("s-0.png"), png());
  CHECK(read_pictures(recording_of("../s"), folder.file("a/s.ndjson")).pictures.empty());
}

TEST_CASE("recording files: outputs lie beside the recording") {
  CHECK(output_beside("a/x.ndjson", ".export.json") == "a/x.export.json");
  CHECK(output_beside("a/x", ".steps.json") == "a/x.steps.json");
  CHECK(output_beside("x.json", ".steps.json") == "x.json.steps.json");
  CHECK(output_beside("x.y.ndjson", ".steps.json") == "x.y.steps.json");
}
