#include "runtime/log/event_log.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/manual_time.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// After this the log looks again whether its file is where it was.
void pass_a_look() { Clock::manual_now += std::chrono::nanoseconds(100ms).count(); }

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

TEST_CASE("log: no event shows a secret that is known or named", "[log][S4]") {
  const TempFolder folder;
  Captured captured;
  EventLogOptions options{.folder = folder.path().string(), .to_stderr = true};
  options.secrets.add("known-from-the-start");
  EventLog log(options);
  log.keep_secret("known-later");
  log.keep_secret("");
  log.write(LogLevel::info, "e", "known-from-the-start and known-later; API_KEY=hunter2",
            JsonObject()
                .text("commandId", "c-1")
                .text("password", "hunter2")
                .text("said", R"({"token": "hunter2"})")
                .text("also", "known-later")
                .number("n", 7));
  const std::string dots(kMask);
  const auto record = records_in(folder.path()).at(0);
  CHECK(record["message"] == dots + " and " + dots + "; API_KEY=" + dots);
  CHECK(record["commandId"] == "c-1");
  CHECK(record["password"] == dots);
  CHECK(record["said"] == R"({"token": ")" + dots + R"("})");
  CHECK(record["also"] == dots);
  CHECK(record["n"] == 7);
  const std::string shown = captured.text();
  CHECK_FALSE(shown.contains("hunter2"));
  CHECK_FALSE(shown.contains("known-"));
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
  CHECK_FALSE(log.path());
  const std::string text = captured.text();
  CHECK_THAT(text, Catch::StartsWith("[clawperator] WARN: logging to "));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("log: a full disk costs entries, and is reported once there is room again", "[log]") {
  const ManualTime time;
  const TempFolder folder;
  EventLog log({.folder = folder.path().string()});
  log.write(LogLevel::info, "first", "m");
  const fs::path file = files_in(folder.path()).at(0);
  fs::rename(file, folder.path() / "aside");
  fs::create_symlink("/dev/full", file);
  pass_a_look();
  Captured captured;
  for (int i = 0; i < 3; ++i) CHECK_NOTHROW(log.write(LogLevel::info, "lost", "m"));
  CHECK_FALSE(log.path());
  fs::remove(file);
  log.write(LogLevel::info, "second", "m");
  CHECK(log.path() == file.string());
  const std::string text = captured.text();
  CHECK_THAT(text, Catch::Contains("No space left on device"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  fs::remove(folder.path() / "aside");
  const auto records = records_in(folder.path());
  REQUIRE(records.size() == 2);
  CHECK(records[0]["event"] == "second");
  CHECK(records[1]["event"] == "log.resumed");
  CHECK(records[1]["lost"] == 3);
}

TEST_CASE("log: a line that a full disk cut is ended before the next one", "[log]") {
  const TempFolder folder;
  EventLog log({.folder = folder.path().string()});
  log.write(LogLevel::info, "first", "m");
  const fs::path file = files_in(folder.path()).at(0);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit tight = before;
  tight.rlim_cur = fs::file_size(file) + 10;
  {
    Captured captured;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    log.write(LogLevel::info, "cut", "m");
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  }
  log.write(LogLevel::info, "second", "m");
  std::istringstream lines(file_text(file));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  REQUIRE(all.size() == 4);
  CHECK(all[1].size() == 10);
  CHECK(json::parse(all[2])["event"] == "second");
  CHECK(json::parse(all[3])["event"] == "log.resumed");
}

TEST_CASE("log: a file that was deleted or moved away is begun anew", "[log]") {
  const ManualTime time;
  const TempFolder folder;
  const fs::path logs = folder.path() / "logs";
  EventLog log({.folder = logs.string()});
  log.write(LogLevel::info, "first", "m");
  const bool moved = GENERATE(true, false);
  if (moved) fs::rename(files_in(logs).at(0), folder.path() / "rotated");
  if (!moved) fs::remove_all(logs);
  pass_a_look();
  log.write(LogLevel::info, "second", "m");
  const auto records = records_in(logs);
  REQUIRE(records.size() == 1);
  CHECK(records[0]["event"] == "second");
}

TEST_CASE("log: at midnight the next day's file is begun", "[log]") {
  const ManualTime time;
  const TempFolder folder;
  std::optional<Variable> zone(std::in_place, "TZ", "UTC");
  ::tzset();
  EventLog log({.folder = folder.path().string()});
  log.write(LogLevel::info, "first", "m");
  zone.emplace("TZ", "EAST-24");  // it is tomorrow there
  ::tzset();
  pass_a_look();
  log.write(LogLevel::info, "second", "m");
  CHECK(files_in(folder.path()).size() == 2);
  zone.reset();
  ::tzset();
}

TEST_CASE("log: level names in any case", "[log]") {
  CHECK(parse_log_level("WARN") == LogLevel::warn);
  CHECK(parse_log_level("debug") == LogLevel::debug);
  CHECK_FALSE(parse_log_level("warning"));
  CHECK_FALSE(parse_log_level(""));
}
