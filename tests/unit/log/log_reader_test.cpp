#include "runtime/log/log_reader.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using Lines = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

void append(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

struct Log {
  TempFolder folder;
  std::string today = "2026-11-24";
  LogReader reader{folder.path().string(), "2026-11-22", [this] { return today; }};

  [[nodiscard]] fs::path file(const std::string& day) const {
    return folder.path() / log_file_name(day);
  }
  Lines read() {
    Lines lines;
    while (reader.read(lines)) {
    }
    return lines;
  }
};

}  // namespace

TEST_CASE("log reader: the day's lines, then what is added") {
  Log log;
  write_text(log.file("2026-11-22"), "a\nb\n");
  CHECK(log.read() == Lines{"a", "b"});
  CHECK(log.read().empty());
  append(log.file("2026-11-22"), "c\n");
  CHECK(log.read() == Lines{"c"});
}

TEST_CASE("log reader: a line is given once it has ended") {
  Log log;
  write_text(log.file("2026-11-22"), "a\nhal");
  CHECK(log.read() == Lines{"a"});
  append(log.file("2026-11-22"), "f\n");
  CHECK(log.read() == Lines{"half"});
  append(log.file("2026-11-22"), "rest");
  CHECK(log.read().empty());
  Lines last;
  log.reader.finish(last);
  CHECK(last == Lines{"rest"});
}

TEST_CASE("log reader: days in order, earlier ones and other files left out") {
  Log log;
  write_text(log.file("2026-11-24"), "three\n");
  write_text(log.file("2026-11-21"), "too early\n");
  write_text(log.file("2026-11-22"), "one\n");
  write_text(log.file("2026-11-23"), "two, unfinished");
  write_text(log.folder.path() / "clawperator-2026-11-2x.log", "no day\n");
  write_text(log.folder.path() / "clawperator-2026-11-23.log.gz", "packed\n");
  CHECK(log.read() == Lines{"one", "two, unfinished", "three"});
}

TEST_CASE("log reader: over midnight into the next file") {
  Log log;
  write_text(log.file("2026-11-22"), "late\n");
  CHECK(log.read() == Lines{"late"});
  append(log.file("2026-11-22"), "later\n");
  write_text(log.file("2026-11-23"), "early\n");
  CHECK(log.read() == Lines{"later", "early"});
  append(log.file("2026-11-23"), "next\n");
  CHECK(log.read() == Lines{"next"});
}

TEST_CASE("log reader: a file of a day to come waits for its day") {
  Log log;
  log.today = "2026-11-22";
  write_text(log.file("2026-11-22"), "a\n");
  write_text(log.file("2026-11-23"), "tomorrow\n");
  write_text(log.file("2031-01-01"), "of another clock\n");
  CHECK(log.read() == Lines{"a"});
  append(log.file("2026-11-22"), "b\n");
  CHECK(log.read() == Lines{"b"});
  log.today = "2026-11-23";
  append(log.file("2026-11-22"), "last\n");
  CHECK(log.read() == Lines{"last", "tomorrow"});
  append(log.file("2026-11-23"), "c\n");
  CHECK(log.read() == Lines{"c"});
}

TEST_CASE("log reader: a truncated file is read from its start") {
  Log log;
  write_text(log.file("2026-11-22"), "a long first line\nunfinished");
  CHECK(log.read() == Lines{"a long first line"});
  write_text(log.file("2026-11-22"), "new\n");
  CHECK(log.read() == Lines{"new"});
}

TEST_CASE("log reader: a file that took its place is read, though it is longer") {
  Log log;
  write_text(log.file("2026-11-22"), "a\n");
  CHECK(log.read() == Lines{"a"});
  append(log.file("2026-11-22"), "b\n");
  CHECK(log.read() == Lines{"b"});
  write_text(log.folder.path() / "new", "c\nd\nlonger than before\n");
  fs::rename(log.folder.path() / "new", log.file("2026-11-22"));
  CHECK(log.read() == Lines{"c", "d", "longer than before"});
}

TEST_CASE("log reader: a file that was removed and came back") {
  Log log;
  write_text(log.file("2026-11-22"), "a\n");
  CHECK(log.read() == Lines{"a"});
  fs::rename(log.file("2026-11-22"), log.folder.path() / "kept");
  CHECK(log.read().empty());
  write_text(log.file("2026-11-22"), "b\n");
  CHECK(log.read() == Lines{"b"});
}

TEST_CASE("log reader: nothing there yet") {
  Log log;
  CHECK(log.read().empty());
  CHECK_FALSE(log.reader.found_any());
  write_text(log.file("2026-11-23"), "first\n");
  CHECK(log.read() == Lines{"first"});
  CHECK(log.reader.found_any());
  LogReader nowhere("/nowhere/at/all", "2026-11-22", [] { return "2026-11-22"; });
  Lines lines;
  CHECK_FALSE(nowhere.read(lines));
}

TEST_CASE("log reader: what stands in the place of a file is no file") {
  Log log;
  fs::create_directory(log.file("2026-11-22"));
  write_text(log.file("2026-11-23"), "a\n");
  CHECK(log.read() == Lines{"a"});
}

TEST_CASE("log reader: a line beyond the bound is reported, and the next one is whole") {
  Log log;
  const std::string longest(kMaxLogLine, 'x');
  write_text(log.file("2026-11-22"), longest + "\n" + longest + "y\nnext\n");
  const Lines lines = log.read();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == longest);
  CHECK(lines[2] == "next");
  const auto note = nlohmann::json::parse(lines[1]);
  CHECK(note["level"] == "warn");
  CHECK(note["event"] == "log.line_too_long");
  CHECK(note["message"] == "a line of " + std::to_string(kMaxLogLine + 1) + " bytes is left out");
  CHECK(note["beginning"] == std::string(1024, 'x'));
}
