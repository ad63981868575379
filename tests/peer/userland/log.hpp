#pragma once
// The stub phone's log: the file `log` of PHONE_STATE, entries as `logcat -B` prints them.
//
//   logcat [-d] [-c] [-B] [-v FORMAT[,MODIFIER]...]... [-b BUFFER]... [-t|-T COUNT|TIME]
//   [FILTER]... log [-p PRIORITY] [-t TAG] TEXT...
//
// -T is as strict as AOSP's: a count, "MM-DD hh:mm:ss.mmm", "YYYY-MM-DD hh:mm:ss.mmm" or, from
// Android 7 on, "SECONDS.FRACTION"; of what follows a time it warns, anything else ends it with 1.
// Android 13 alone writes the binary form through a buffer of 4096 bytes; text leaves entry by
// entry.

#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "state.hpp"

namespace {

constexpr off_t kLogBuffer = 256 << 10;  // as logd's; the log starts anew when it is full
constexpr std::size_t kStdioBuffer = 4096;
constexpr int kAppPid = 4242;
constexpr std::string_view kPriorities = "??VDIWEFS";

struct EntryHeader {
  std::uint16_t size, header_size;
  std::int32_t pid;
  std::uint32_t tid, sec, nsec, log_id, uid;
};
static_assert(sizeof(EntryHeader) == 28);

void append_entry(std::string& log, char priority, std::string_view tag, std::string_view message) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::string payload(1, static_cast<char>(kPriorities.find(priority)));
  payload.append(tag).push_back('\0');
  payload.append(message).push_back('\0');
  const EntryHeader header{static_cast<std::uint16_t>(payload.size()),
                           sizeof(EntryHeader),
                           kAppPid,
                           kAppPid,
                           static_cast<std::uint32_t>(now.tv_sec),
                           static_cast<std::uint32_t>(now.tv_nsec),
                           0,
                           10099};
  log.append(reinterpret_cast<const char*>(&header), sizeof(header)).append(payload);
}

int append_to_log(const std::string& entries) {
  const int fd = ::open(state_path("log").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return 1;
  ::flock(fd, LOCK_EX);
  if (size_of(fd) > kLogBuffer && ::ftruncate(fd, 0) != 0) return 1;
  const bool done = write_all(fd, entries);
  ::close(fd);
  return done ? 0 : 1;
}

int log_line(const Arguments& arguments) {
  char priority = 'I';
  std::string tag = "log", text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "-p" && has_value) {
      priority = static_cast<char>(std::toupper(arguments[++i][0]));
    } else if (arguments[i] == "-t" && has_value) {
      tag = arguments[++i];
    } else {
      text += (text.empty() ? "" : " ") + arguments[i];
    }
  }
  std::string entry;
  append_entry(entry, priority, tag, text);
  return append_to_log(entry);
}

struct LogcatOptions {
  bool binary = false;
  bool dump = false;
  bool clear = false;
  bool epoch = false, usec = false, year = false;
  std::string format = "threadtime";
  double from = 0;       // seconds since the epoch
  std::size_t last = 0;  // with -T COUNT
  bool counted = false;
  int failed = 0;  // the status to end with
};

// ".mmm" and more digits; where they end, or nullptr.
const char* parse_fraction(const char* text, double& seconds) {
  if (*text != '.') return nullptr;
  double place = 1;
  for (++text; *text >= '0' && *text <= '9'; ++text) seconds += (*text - '0') * (place /= 10);
  return text;
}

const char* parse_date(const char* text, const char* form, double& seconds) {
  const std::time_t now = std::time(nullptr);
  std::tm fields = *std::localtime(&now);
  const char* rest = ::strptime(text, form, &fields);
  if (rest == nullptr) return nullptr;
  seconds = static_cast<double>(std::mktime(&fields));
  return parse_fraction(rest, seconds);
}

const char* parse_seconds(const char* text, double& seconds) {
  if (*text < '0' || *text > '9') return nullptr;
  char* rest = nullptr;
  seconds = static_cast<double>(std::strtoul(text, &rest, 10));
  return parse_fraction(rest, seconds);
}

void parse_start(const std::string& option, const std::string& text, LogcatOptions& options) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    options.counted = true;
    options.last = std::max(1UL, std::strtoul(text.c_str(), nullptr, 10));
    return;
  }
  const char* rest = parse_date(text.c_str(), "%m-%d %H:%M:%S", options.from);
  if (rest == nullptr) rest = parse_date(text.c_str(), "%Y-%m-%d %H:%M:%S", options.from);
  if (rest == nullptr && sdk() >= 24) rest = parse_seconds(text.c_str(), options.from);
  if (rest == nullptr) {
    options.failed = complain("logcat: " + option + " '" + text + "' not in time format.\n", 1);
  } else if (*rest != '\0') {
    const std::string taken(text.c_str(), rest);
    complain("WARNING: " + option + " '" + taken + "' '" + rest + "' time truncated\n", 0);
  }
}

void parse_format(const std::string& text, LogcatOptions& options) {
  static const std::vector<std::string> kFormats = {"brief", "long",   "process",    "raw",
                                                    "tag",   "thread", "threadtime", "time"};
  static const std::vector<std::string> kModifiers = {
      "color", "descriptive", "monotonic", "printable", "uid", "UTC", "zone"};
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (std::ranges::find(kFormats, word) != kFormats.end()) {
      options.format = word;
    } else if (word == "epoch" || word == "usec" || word == "year") {
      (word == "epoch" ? options.epoch : word == "usec" ? options.usec : options.year) = true;
    } else if (std::ranges::find(kModifiers, word) == kModifiers.end()) {
      options.failed = complain("logcat: Invalid parameter '" + text + "' to -v.\n", 1);
    }
  }
}

LogcatOptions parse_logcat(const Arguments& arguments) {
  static const std::string_view kWithValue = "-b -e -f -G -m -n -P -r -t -T -v";
  LogcatOptions options;
  for (std::size_t i = 0; i < arguments.size() && options.failed == 0; ++i) {
    const std::string& option = arguments[i];
    if (!option.starts_with('-')) continue;  // a filter
    if (option == "-B" || option == "--binary") {
      options.binary = true;
    } else if (option == "-c" || option == "-d") {
      (option == "-c" ? options.clear : options.dump) = true;
    } else if (option.size() == 2 && kWithValue.find(option) != std::string_view::npos) {
      if (++i == arguments.size()) {
        options.failed = complain("logcat: Option " + option + " needs an argument.\n", 1);
        break;
      }
      if (option == "-v") parse_format(arguments[i], options);
      if (option == "-T" || option == "-t") parse_start(option, arguments[i], options);
      if (option == "-t") options.dump = true;
    } else if (option != "-s" && option != "-D" && option != "-S") {
      options.failed = complain("logcat: Unknown option '" + option + "'.\n", 1);
    }
  }
  return options;
}

std::string text_time(const EntryHeader& header, const LogcatOptions& options) {
  const std::time_t seconds = header.sec;
  char when[64];
  if (options.epoch) {
    std::snprintf(when, sizeof(when), "%19lld", static_cast<long long>(seconds));
  } else {
    std::strftime(when, sizeof(when), options.year ? "%Y-%m-%d %H:%M:%S" : "%m-%d %H:%M:%S",
                  std::localtime(&seconds));
  }
  char fraction[16];
  if (options.usec) {
    std::snprintf(fraction, sizeof(fraction), ".%06u", header.nsec / 1000);
  } else {
    std::snprintf(fraction, sizeof(fraction), ".%03u", header.nsec / 1000000);
  }
  return std::string(when) + fraction;
}

std::string text_prefix(const EntryHeader& header, char priority, const std::string& tag,
                        const LogcatOptions& options) {
  const std::string when = text_time(header, options);
  const std::string& format = options.format;
  char prefix[256] = "";
  const auto fill = [&](const char* form, auto... values) {
    std::snprintf(prefix, sizeof(prefix), form, values...);
  };
  if (format == "tag") fill("%c/%-8s: ", priority, tag.c_str());
  if (format == "brief") fill("%c/%-8s(%5d): ", priority, tag.c_str(), header.pid);
  if (format == "process") fill("%c(%5d) ", priority, header.pid);
  if (format == "thread") fill("%c(%5d:%5u) ", priority, header.pid, header.tid);
  if (format == "time") fill("%s %c/%-8s(%5d): ", when.c_str(), priority, tag.c_str(), header.pid);
  if (format == "threadtime") {
    fill("%s %5d %5u %c %-8s: ", when.c_str(), header.pid, header.tid, priority, tag.c_str());
  }
  if (format == "long") {
    fill("[ %s %5d:%5u %c/%-8s ]\n", when.c_str(), header.pid, header.tid, priority, tag.c_str());
  }
  return prefix;
}

void append_text(std::string& out, const EntryHeader& header, std::string_view payload,
                 const LogcatOptions& options) {
  const std::string tag(payload.substr(1, payload.find('\0') - 1));
  const char priority = kPriorities[static_cast<std::size_t>(payload[0])];
  std::string_view message = payload.substr(tag.size() + 2);
  message = message.substr(0, message.find('\0'));
  const std::string prefix = text_prefix(header, priority, tag, options);
  if (options.format == "long") {  // a header once, an empty line after it all
    out.append(prefix).append(message).append("\n\n");
    return;
  }
  while (!message.empty()) {
    const std::size_t line = std::min(message.find('\n'), message.size());
    out.append(prefix).append(message.substr(0, line)).push_back('\n');
    message.remove_prefix(std::min(line + 1, message.size()));
  }
}

// Takes whole entries off the front of `pending`; what is older than the start is dropped.
std::string format_entries(std::string& pending, const LogcatOptions& options, bool& divided) {
  std::string out;
  std::size_t at = 0;
  EntryHeader header{};
  while (pending.size() - at >= sizeof(header)) {
    std::memcpy(&header, pending.data() + at, sizeof(header));
    const std::size_t size = sizeof(header) + header.size;
    if (pending.size() - at < size) break;
    const std::string_view entry = std::string_view(pending).substr(at, size);
    at += size;
    if (header.sec + header.nsec / 1e9 < options.from) continue;
    if (options.binary) {
      out.append(entry);
      continue;
    }
    if (!std::exchange(divided, true)) out += "--------- beginning of main\n";
    append_text(out, header, entry.substr(sizeof(header)), options);
  }
  pending.erase(0, at);
  return out;
}

std::size_t start_of_last(const std::string& log, std::size_t count) {
  std::vector<std::size_t> starts;
  EntryHeader header{};
  for (std::size_t at = 0; at + sizeof(header) <= log.size(); at += sizeof(header) + header.size) {
    std::memcpy(&header, log.data() + at, sizeof(header));
    starts.push_back(at);
  }
  return count >= starts.size() ? 0 : starts[starts.size() - count];
}

// What is written at once; the rest stays in the process until the buffer is full.
std::string take_full_blocks(std::string& held) {
  const std::size_t full = held.size() / kStdioBuffer * kStdioBuffer;
  std::string blocks = held.substr(0, full);
  held.erase(0, full);
  return blocks;
}

int follow_log(const LogcatOptions& options) {
  const int log = ::open(state_path("log").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
  const int watch = ::inotify_init1(IN_CLOEXEC);
  if (log < 0 || ::inotify_add_watch(watch, state_path("log").c_str(), IN_MODIFY) < 0) return 1;
  const bool buffered = options.binary && sdk() == 33;
  std::string pending, held;
  bool divided = false;
  std::vector<char> chunk(1 << 16);
  for (bool first = true;; first = false) {
    if (size_of(log) < ::lseek(log, 0, SEEK_CUR)) ::lseek(log, 0, SEEK_SET);
    for (ssize_t got; (got = ::read(log, chunk.data(), chunk.size())) > 0;) {
      pending.append(chunk.data(), static_cast<std::size_t>(got));
    }
    if (first && options.counted) pending.erase(0, start_of_last(pending, options.last));
    held += format_entries(pending, options, divided);
    if (!write_all(STDOUT_FILENO, buffered ? take_full_blocks(held) : std::exchange(held, {})))
      return 1;
    if (options.dump) return write_all(STDOUT_FILENO, held) ? 0 : 1;
    pollfd wanted[] = {{watch, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    if (::poll(wanted, 2, -1) < 0 || wanted[1].revents != 0) return 1;
    if (::read(watch, chunk.data(), chunk.size()) < 0) return 1;
  }
}

int logcat(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "-g") return print("crash: ring buffer is 256 KiB\n");
  const LogcatOptions options = parse_logcat(arguments);
  if (options.failed != 0) return options.failed;
  if (options.clear) return ::truncate(state_path("log").c_str(), 0) == 0 ? 0 : 1;
  return follow_log(options);
}

}  // namespace
