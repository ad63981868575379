#include "runtime/log/event_log.hpp"

#include <fcntl.h>

// As the published lines spell them.
#define SPDLOG_LEVEL_NAMES {"trace", "debug", "info", "warn", "error", "critical", "off"}
#include <spdlog/details/null_mutex.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "base/clock.hpp"
#include "base/file_handle.hpp"
#include "base/named_secrets.hpp"
#include "base/text.hpp"
#include "runtime/log/log_reader.hpp"

namespace clawperator {
namespace {

// The line of an event; its level and time are spdlog's to write, the rest comes as JSON members.
constexpr const char* kEventPattern = R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v)";

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
  }
  return spdlog::level::err;
}

// How long a file is taken to be where it was.
constexpr std::chrono::milliseconds kCheckPause{100};

// Of all files together; the oldest ones go first. Today's file alone may have half of it: then it
// starts again.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kMostOfToday = kMostBytes / 2;  // the days before keep the other half

struct LogFile {
  std::string name;
  std::uintmax_t size = 0;
};

// Those of a folder, the oldest first.
std::vector<LogFile> log_files(const std::string& folder) {
  std::vector<LogFile> files;
  std::error_code reason;
  for (std::filesystem::directory_iterator at(folder, reason), end; at != end;
       at.increment(reason)) {
    std::string name = at->path().filename().string();
    if (!is_log_file_name(name)) continue;
    std::error_code unknown;
    const auto size = at->file_size(unknown);
    if (!unknown) files.push_back({std::move(name), size});
  }
  std::ranges::sort(files, {}, &LogFile::name);
  return files;
}

// Makes room for today's file; files of other names are left alone.
void bound_files(const std::string& folder, const std::string& today) {
  const auto files = log_files(folder);
  std::uintmax_t total = 0;
  for (const LogFile& file : files) total += file.size;
  for (const LogFile& file : files) {
    if (file.name == today && file.size <= kMostOfToday) continue;
    if (file.name != today && total <= kMostBytes) continue;
    if (::unlink((folder + "/" + file.name).c_str()) == 0) total -= file.size;
  }
}

// Today's file: at midnight there is another one, and a file that was deleted, moved away or
// replaced is opened again, kCheckPause later at most. One write a line, so that several processes
// can share a file.
class DailyFile final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit DailyFile(std::string folder) : folder_(std::move(folder)) {}

  static std::string path_in(const std::string& folder) {
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return folder + "/" + log_file_name(local_day(now));
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (!file_.is_open() || base::Clock::now() - checked_at_ >= kCheckPause) {
      path_ = path_in(folder_);
      if (!is_open_at(path_)) open(path_);
      if (unjudged_ >= kJudgedEach) judge_size();
      checked_at_ = base::Clock::now();
    }
    // A full disk may have taken the beginning of a line.
    spdlog::memory_buf_t line;
    if (torn_) line.push_back('\n');
    formatter_->format(message, line);
    const ssize_t written = ::write(file_.get(), line.data(), line.size());
    unjudged_ += line.size();
    if (written == static_cast<ssize_t>(line.size())) {
      torn_ = false;
      return;
    }
    const int reason = written < 0 ? errno : ENOSPC;
    if (written > 0) torn_ = true;
    file_.reset();
    spdlog::throw_spdlog_ex("cannot write " + path_, reason);
  }
  void flush_() override {}

  [[nodiscard]] bool is_open_at(const std::string& path) const {
    struct stat there{};
    return file_.is_open() && ::stat(path.c_str(), &there) == 0 && opened_.st_ino == there.st_ino &&
           opened_.st_dev == there.st_dev;
  }
  // A pipe without a reader is an error like any other. The lines contain apps and the output of
  // skills: they are for this user alone.
  void open(const std::string& path) {
    std::error_code reason;
    std::filesystem::create_directories(folder_, reason);
    file_ = base::FileHandle(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600));
    if (!file_.is_open() || ::fstat(file_.get(), &opened_) != 0) {
      spdlog::throw_spdlog_ex("cannot open " + path, errno);
    }
    const bool is_public = (opened_.st_mode & 077) != 0 && S_ISREG(opened_.st_mode);
    if (is_public && opened_.st_uid == ::geteuid()) ::fchmod(file_.get(), 0600);
    unjudged_ = kJudgedEach;
  }
  void judge_size() {
    bound_files(folder_, std::filesystem::path(path_).filename().string());
    if (!is_open_at(path_)) open(path_);
    unjudged_ = 0;
  }

  std::string folder_;
  std::string path_;
  base::FileHandle file_;
  struct stat opened_{};  // which one it is, as long as it is open
  base::Clock::time_point checked_at_{};
  bool torn_ = false;
  static constexpr std::size_t kJudgedEach = std::size_t{1} << 20;
  std::size_t unjudged_ = 0;  // bytes written since the folder was measured
};

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view name) {
  const std::string wanted = ascii_lower(name);
  for (const auto level : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error}) {
    const auto own = spdlog::level::to_string_view(level_of(level));
    if (wanted == std::string_view(own.data(), own.size())) return level;
  }
  return std::nullopt;
}

// A logger with a sink for each place that events go to; each sink has its own level.
struct EventLog::Sinks {
  explicit Sinks(const EventLogOptions& options) : logger("events") {
    if (!options.folder.empty()) {
      add(std::make_shared<DailyFile>(options.folder), level_of(options.level));
    }
    if (options.to_stderr) {
      add(std::make_shared<spdlog::sinks::stderr_sink_st>(), spdlog::level::debug);
    }
    logger.set_level(spdlog::level::debug);
    logger.set_pattern(kEventPattern, spdlog::pattern_time_type::utc);
    logger.set_error_handler([this](const std::string& text) { error = text; });
  }

  void add(const spdlog::sink_ptr& sink, spdlog::level::level_enum level) {
    sink->set_level(level);
    logger.sinks().push_back(sink);
  }
  // Returns the problem; empty: none.
  std::string write(LogLevel level, std::string_view members) {
    error.clear();
    logger.log(level_of(level), spdlog::string_view_t(members.data(), members.size()));
    return error;
  }

  spdlog::logger logger;
  std::string error;
};

EventLog::EventLog(EventLogOptions options) : options_(std::move(options)) {}
EventLog::~EventLog() = default;

bool EventLog::is_filed(LogLevel level) const {
  return !options_.folder.empty() && level >= options_.level;
}

bool EventLog::enabled(LogLevel level) const { return is_filed(level) || options_.to_stderr; }

std::optional<std::string> EventLog::path() const {
  if (!has_filed_ || lost_ != 0) return std::nullopt;
  return DailyFile::path_in(options_.folder);
}

// Behind the first entry that found room again.
void EventLog::report_loss() {
  const auto lost = std::exchange(lost_, 0);
  write(LogLevel::warn, "log.resumed", std::to_string(lost) + " entries were lost",
        JsonObject().number("lost", lost));
}

void EventLog::note_loss(const std::string& problem) {
  has_filed_ = true;
  if (problem.empty() && lost_ != 0) return report_loss();
  if (problem.empty()) return;
  ++lost_;
  if (std::exchange(warned_, true)) return;
  std::fprintf(stderr, "[clawperator] WARN: logging to %s is off until it works again: %s\n",
               options_.folder.c_str(), problem.c_str());
}

void EventLog::write(LogLevel level, std::string_view event, std::string_view message,
                     const JsonObject& members) {
  if (!enabled(level)) return;
  JsonObject record;
  record.text("event", event).text("message", masked_for_log(message, options_.secrets));
  std::string line = record.str();
  if (!members.empty()) {
    line.back() = ',';
    line.append(masked_json_for_log(members.str(), options_.secrets), 1);
  }
  if (!sinks_) sinks_ = std::make_unique<Sinks>(options_);
  const std::string problem = sinks_->write(level, std::string_view(line).substr(1));
  if (is_filed(level)) note_loss(problem);
}

}  // namespace clawperator
