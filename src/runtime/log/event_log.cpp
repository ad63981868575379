#include "runtime/log/event_log.hpp"

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/daily_file_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "base/text.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/log/log_filter.hpp"
#include "runtime/log/log_reader.hpp"

namespace clawperator {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"debug", "info", "warn", "error"};

std::string_view name_of(LogLevel level) { return kLevelNames[static_cast<std::size_t>(level)]; }

// ISO 8601 with milliseconds, UTC.
std::string timestamp() {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const auto seconds = system_clock::to_time_t(now);
  const auto millis = duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text.data() + size, text.size() - size, ".%03dZ", static_cast<int>(millis));
  return text.data();
}

struct FileName {
  static spdlog::filename_t calc_filename(const spdlog::filename_t& base, const std::tm& day) {
    return fmt::format("{}-{:04d}-{:02d}-{:02d}.log", base, day.tm_year + 1900, day.tm_mon + 1,
                       day.tm_mday);
  }
};

using DailySink = spdlog::sinks::daily_file_sink<spdlog::details::null_mutex, FileName>;

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view name) {
  const auto at = std::ranges::find(kLevelNames, ascii_lower(name));
  if (at == kLevelNames.end()) return std::nullopt;
  return static_cast<LogLevel>(at - kLevelNames.begin());
}

struct EventLog::File {
  explicit File(const std::string& folder)
      : logger("events", std::make_shared<DailySink>(folder + "/clawperator", 0, 0)) {
    logger.set_pattern("%v");
    logger.set_level(spdlog::level::trace);
    logger.flush_on(spdlog::level::trace);
    logger.set_error_handler([this](const std::string& text) { error = text; });
  }

  spdlog::logger logger;
  std::string error;
};

EventLog::EventLog(EventLogOptions options) : options_(std::move(options)) {}
EventLog::~EventLog() = default;

bool EventLog::enabled(LogLevel level) const {
  const bool filed = !options_.folder.empty() && !file_failed_ && level >= options_.level;
  return filed || options_.to_stderr;
}

std::optional<std::string> EventLog::path() const {
  if (!file_ || file_failed_) return std::nullopt;
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  return options_.folder + "/" + log_file_name(local_day(now));
}

void EventLog::write_file(LogLevel level, const std::string& line) {
  if (options_.folder.empty() || file_failed_ || level < options_.level) return;
  std::string problem;
  try {
    if (!file_) file_ = std::make_unique<File>(options_.folder);
    file_->logger.info(spdlog::string_view_t(line.data(), line.size()));
    problem = file_->error;
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (problem.empty()) return;
  file_failed_ = true;
  std::fprintf(stderr, "[clawperator] WARN: logging to %s is off: %s\n", options_.folder.c_str(),
               problem.c_str());
}

void EventLog::write(LogLevel level, std::string_view event, std::string_view message,
                     const JsonObject& members) {
  if (!enabled(level)) return;
  JsonObject record;
  record.text("ts", timestamp()).text("level", name_of(level)).text("event", event);
  record.text("message", message);
  std::string line = record.str();
  const std::string more = members.str();
  if (!members.empty()) line = line.substr(0, line.size() - 1) + "," + more.substr(1);
  write_file(level, line);
  if (options_.to_stderr) std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace clawperator
