#include "runtime/log/event_log.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_in(const fs::path& folder) {
  if (!fs::exists(folder)) return {};
  return {fs::directory_iterator(folder), {}};
}

std::vector<json> records_in(const fs::path& folder) {
  std::vector<json> records;
  for (const fs::path& file : files_in(folder)) {
    std::istringstream lines(file_text(file));
    for (std::string line; std::getline(lines, line);) records.push_back(json::parse(line));
  }
  return records;
}

// What reaches stderr while it lives.
class Captured {
 public:
  Captured() : before_(::dup(2)) {
    std::fflush(stderr);
    FILE* file = std::fopen(path_.c_str(), "w");
    ::dup2(::fileno(file), 2);
    std::fclose(file);
  }
  ~Captured() { restore(); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::string text() {
    restore();
    return file_text(path_);
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stderr);
    ::dup2(before_, 2);
    ::close(before_);
    before_ = -1;
  }
  TempFolder folder_;
  std::string path_ = folder_.file("stderr");
  int before_;
};

}  // namespace

TEST_CASE("log: an event is one line of JSON in the day's file", "[log]") {
  const TempFolder folder;
  const fs::path logs = folder.path() / "deep/logs";
  EventLog log({.folder = logs.string()});
  CHECK(files_in(logs).empty());
  log.write(LogLevel::info, "envelope.received", "two\nlines \"quoted\"",
            JsonObject().text("commandId", "c-1").number("durationMs", 12));
  log.write(LogLevel::error, "timeout.fired", "late");
  REQUIRE(files_in(logs).size() == 1);
  CHECK(std::regex_match(files_in(logs)[0].filename().string(),
                         std::regex(R"(clawperator-\d{4}-\d{2}-\d{2}\.log)")));
  const auto records = records_in(logs);
  REQUIRE(records.size() == 2);
  CHECK(std::regex_match(records[0]["ts"].get<std::string>(),
                         std::regex(R"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)")));
  CHECK(records[0]["level"] == "info");
  CHECK(records[0]["event"] == "envelope.received");
  CHECK(records[0]["message"] == "two\nlines \"quoted\"");
  CHECK(records[0]["commandId"] == "c-1");
  CHECK(records[0]["durationMs"] == 12);
  CHECK(records[1]["level"] == "error");
  CHECK_FALSE(records[1].contains("commandId"));
}

TEST_CASE("log: only what the level lets through", "[log]") {
  const TempFolder folder;
  const auto level = GENERATE(LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error);
  EventLog log({.folder = folder.path().string(), .level = level});
  for (const auto each : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error}) {
    CHECK(log.enabled(each) == (each >= level));
    log.write(each, "e", "m");
  }
  CHECK(records_in(folder.path()).size() == 4 - static_cast<std::size_t>(level));
}

TEST_CASE("log: verbose shows every event on stderr, whatever the file gets", "[log]") {
  Captured captured;
  EventLog log({.folder = "", .level = LogLevel::error, .to_stderr = true});
  CHECK(log.enabled(LogLevel::debug));
  log.write(LogLevel::debug, "adb.command", "m");
  CHECK(json::parse(captured.text())["event"] == "adb.command");
}

TEST_CASE("log: a folder that cannot be had gives one warning and no more", "[log]") {
  const TempFolder folder;
  write_text(folder.path() / "file", "in the way");
  Captured captured;
  EventLog log({.folder = folder.file("file/logs")});
  for (int i = 0; i < 3; ++i) log.write(LogLevel::info, "e", "m");
  CHECK_FALSE(log.enabled(LogLevel::info));
  const std::string text = captured.text();
  CHECK_THAT(text, Catch::StartsWith("[clawperator] WARN: logging to "));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("log: level names in any case", "[log]") {
  CHECK(parse_log_level("WARN") == LogLevel::warn);
  CHECK(parse_log_level("debug") == LogLevel::debug);
  CHECK_FALSE(parse_log_level("warning"));
  CHECK_FALSE(parse_log_level(""));
}
