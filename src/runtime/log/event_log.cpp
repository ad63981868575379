#include "runtime/log/event_log.hpp"

#include <fcntl.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
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
#include "base/text.hpp"
#include "runtime/contract/named_secrets.hpp"
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

// How long a file is taken to be where it was.
constexpr std::chrono::milliseconds kLook{100};

// Of all files together; the oldest ones go first. Today's file alone may have half of it: then it
// begins anew.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::uintmax_t kMostOfToday = kMostBytes / 2;

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

// Makes room for today's file; files of other names are nobody's concern here.
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

// Today's file: at midnight there is another one, and what was deleted, moved away or replaced is
// opened again, kLook later at most. One write a line, so that several processes can share a file.
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
    if (!file_.is_open() || base::Clock::now() - looked_ >= kLook) {
      path_ = path_in(folder_);
      if (!is_open_at(path_)) open(path_);
      if (unjudged_ >= kJudgedEach) judge_size();
      looked_ = base::Clock::now();
    }
    // A full disk may have taken the beginning of a line.
    std::string line = torn_ ? "\n" : "";
    line.append(message.payload.data(), message.payload.size()).push_back('\n');
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
  // A pipe that nobody reads is an error like any other. The lines name apps and what skills print:
  // they are for this user alone.
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
  base::Clock::time_point looked_{};
  bool torn_ = false;
  static constexpr std::size_t kJudgedEach = std::size_t{1} << 20;
  std::size_t unjudged_ = 0;  // bytes written since the folder was measured
};

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view name) {
  const auto at = std::ranges::find(kLevelNames, ascii_lower(name));
  if (at == kLevelNames.end()) return std::nullopt;
  return static_cast<LogLevel>(at - kLevelNames.begin());
}

struct EventLog::File {
  explicit File(const std::string& folder) : logger("events", std::make_shared<DailyFile>(folder)) {
    logger.set_level(spdlog::level::trace);
    logger.set_error_handler([this](const std::string& text) { error = text; });
  }

  // What is wrong; empty: nothing.
  std::string add(const std::string& line) {
    error.clear();
    logger.info(spdlog::string_view_t(line.data(), line.size()));
    return error;
  }

  spdlog::logger logger;
  std::string error;
};

EventLog::EventLog(EventLogOptions options) : options_(std::move(options)) {}
EventLog::~EventLog() = default;

bool EventLog::enabled(LogLevel level) const {
  const bool filed = !options_.folder.empty() && level >= options_.level;
  return filed || options_.to_stderr;
}

std::optional<std::string> EventLog::path() const {
  if (!file_ || lost_ != 0) return std::nullopt;
  return DailyFile::path_in(options_.folder);
}

void EventLog::write_file(LogLevel level, const std::string& line) {
  if (options_.folder.empty() || level < options_.level) return;
  if (!file_) file_ = std::make_unique<File>(options_.folder);
  const std::string problem = file_->add(line);
  if (problem.empty() && lost_ != 0) return tell_loss();
  if (problem.empty()) return;
  ++lost_;
  if (std::exchange(warned_, true)) return;
  std::fprintf(stderr, "[clawperator] WARN: logging to %s is off until it works again: %s\n",
               options_.folder.c_str(), problem.c_str());
}

// Behind the first entry that found room again.
void EventLog::tell_loss() {
  const auto lost = std::exchange(lost_, 0);
  write(LogLevel::warn, "log.resumed", std::to_string(lost) + " entries were lost",
        JsonObject().number("lost", lost));
}

void EventLog::write(LogLevel level, std::string_view event, std::string_view message,
                     const JsonObject& members) {
  if (!enabled(level)) return;
  JsonObject record;
  record.text("ts", timestamp()).text("level", name_of(level)).text("event", event);
  record.text("message", masked_for_log(message, options_.secrets));
  std::string line = record.str();
  if (!members.empty()) {
    line.back() = ',';
    line.append(masked_json_for_log(members.str(), options_.secrets), 1);
  }
  write_file(level, line);
  if (options_.to_stderr) std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace clawperator
