#include "simdroid/device/logcat_options.hpp"

#include <algorithm>

#include "base/number.hpp"

namespace simdroid {
namespace {

std::optional<LogPriority> parse_priority(char letter) {
  switch (letter) {
    case 'V':
    case 'v':
    case '*': return LogPriority::verbose;
    case 'D':
    case 'd': return LogPriority::debug;
    case 'I':
    case 'i': return LogPriority::info;
    case 'W':
    case 'w': return LogPriority::warn;
    case 'E':
    case 'e': return LogPriority::error;
    case 'F':
    case 'f': return LogPriority::fatal;
    case 'S':
    case 's': return LogPriority::silent;
    default: return std::nullopt;
  }
}

struct LongName {
  std::string_view name;
  char letter;
};
constexpr LongName kLongNames[] = {
    {"binary", 'B'},    {"buffer", 'b'}, {"buffer-size", 'G'}, {"clear", 'c'}, {"format", 'v'},
    {"max-count", 'm'}, {"pid", 'P'},    {"regex", 'e'},       {"tail", 't'},
};
// Letters that take an argument; 'P' stands for --pid, which has no short form here.
constexpr std::string_view kWithArgument = "GbemtTvP";

class Parser {
 public:
  Parser(const std::vector<std::string>& args, WallTime now) : args_(args), now_(now) {}

  Result<LogcatOptions> run() {
    for (at_ = 1; at_ < args_.size(); ++at_) {
      const std::string& arg = args_[at_];
      if (arg.starts_with("--")) {
        TRY_VOID(long_option(std::string_view(arg).substr(2)));
      } else if (arg.size() > 1 && arg.front() == '-') {
        TRY_VOID(short_options(arg));
      } else {
        TRY_VOID(filter(arg));
      }
    }
    return options_;
  }

 private:
  Result<void> long_option(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const auto* row = std::find_if(std::begin(kLongNames), std::end(kLongNames),
                                   [&](const LongName& known) { return known.name == name; });
    if (row == std::end(kLongNames)) {
      return fail(errc::invalid_argument, "Unrecognized Option --" + std::string(name));
    }
    if (kWithArgument.find(row->letter) == std::string_view::npos) return plain(row->letter);
    if (equals != std::string_view::npos) {
      return with_argument(row->letter, std::string(text.substr(equals + 1)));
    }
    TRY(const std::string value, next_argument(name));
    return with_argument(row->letter, value);
  }

  // "-dB", "-T1" and "-T" "1" all work, as getopt does.
  Result<void> short_options(const std::string& arg) {
    for (std::size_t i = 1; i < arg.size(); ++i) {
      const char option = arg[i] == 'P' ? '?' : arg[i];
      if (kWithArgument.find(option) == std::string_view::npos) {
        TRY_VOID(plain(option));
        continue;
      }
      if (i + 1 < arg.size()) return with_argument(option, arg.substr(i + 1));
      TRY(const std::string value, next_argument(std::string_view(&option, 1)));
      return with_argument(option, value);
    }
    return ok();
  }

  Result<std::string> next_argument(std::string_view option) {
    if (at_ + 1 >= args_.size()) {
      return fail(errc::invalid_argument,
                  "logcat: option requires an argument -- " + std::string(option));
    }
    return args_[++at_];
  }

  Result<void> plain(char option) {
    switch (option) {
      case 'd': options_.end = LogcatEnd::stop_at_end; return ok();
      case 'B': options_.binary = true; return ok();
      case 'c': options_.action = LogcatAction::clear; return ok();
      case 'g': options_.action = LogcatAction::print_sizes; return ok();
      case 's': options_.filters.push_back({"*", LogPriority::silent}); return ok();
      default:
        return fail(errc::invalid_argument,
                    "logcat: unrecognized option -- " + std::string(1, option));
    }
  }

  Result<void> with_argument(char option, const std::string& value) {
    switch (option) {
      case 'v': return format(value);
      case 'b': return buffers(value);
      case 'e': options_.regex = value; return ok();
      case 'G': return buffer_size(value);
      case 'm': return number(value, "max-count", &options_.max_count);
      case 'P': {
        std::optional<std::size_t> pid;
        TRY_VOID(number(value, "pid", &pid));
        options_.pid = static_cast<std::int32_t>(*pid);
        return ok();
      }
      case 't': options_.end = LogcatEnd::stop_at_end; return start(option, value);
      default: return start(option, value);  // -T
    }
  }

  Result<void> number(const std::string& value, const char* what, std::optional<std::size_t>* to) {
    *to = whole_number<std::size_t>(value);
    if (*to) return ok();
    return fail(errc::invalid_argument, "logcat: " + std::string(what) + " out of range: " + value);
  }

  // Bytes, or with K or M; what logd takes.
  Result<void> buffer_size(std::string_view value) {
    constexpr std::size_t kKib = 1024;
    constexpr std::size_t kMin = 64 * kKib;
    constexpr std::size_t kMax = 256 * kKib * kKib;
    const std::string_view digits = value.substr(0, value.find_first_of("KM"));
    const std::string_view unit = value.substr(digits.size());
    const std::size_t bytes = unit == "M" ? kKib * kKib : unit == "K" ? kKib : 1;
    const auto count = whole_number<std::size_t>(digits);
    if (unit.size() > 1 || !count || *count > kMax / bytes || *count * bytes < kMin) {
      return fail(errc::invalid_argument, "logcat: invalid buffer size: " + std::string(value));
    }
    options_.action = LogcatAction::resize;
    options_.buffer_size = *count * bytes;
    return ok();
  }

  Result<void> start(char option, const std::string& value) {
    if (const auto count = whole_number<std::size_t>(value)) {
      options_.tail = std::max<std::size_t>(*count, 1);
      return ok();
    }
    const auto instant = parse_log_time(value, now_);
    const std::string named = "-" + std::string(1, option) + " \"" + value;
    if (!instant) return fail(errc::invalid_argument, "logcat: " + named + "\" not in time format");
    options_.since = instant->time;
    if (instant->rest.empty()) return ok();
    const std::string read = named.substr(0, named.size() - instant->rest.size());
    options_.warning =
        "WARNING: " + read + "\"\"" + std::string(instant->rest) + "\" time truncated\n";
    return ok();
  }

  Result<void> format(std::string_view words) {
    while (!words.empty()) {
      const std::size_t end = std::min(words.find_first_of(", "), words.size());
      if (end > 0 && !apply_format_word(&options_.format, words.substr(0, end))) {
        return fail(errc::invalid_argument,
                    "Invalid parameter \"" + std::string(words.substr(0, end)) + "\" to -v");
      }
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    return ok();
  }

  Result<void> buffers(std::string_view names) {
    if (!buffers_chosen_) options_.buffers.clear();
    buffers_chosen_ = true;
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(','), names.size());
      TRY_VOID(buffer(names.substr(0, end)));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    return ok();
  }

  Result<void> buffer(std::string_view word) {
    static constexpr LogBufferId kAll[] = {LogBufferId::main, LogBufferId::events,
                                           LogBufferId::system, LogBufferId::crash};
    for (const LogBufferId id : kAll) {
      const bool by_default = word == "default" && id != LogBufferId::events;
      if (word != name(id) && word != "all" && !by_default) continue;
      options_.buffers.insert(id);
    }
    static constexpr std::string_view kEmptyHere[] = {"radio", "kernel", "stats", "security"};
    const bool known = word == "all" || word == "default" || word == "main" || word == "system" ||
                       word == "crash" || word == "events" ||
                       std::ranges::find(kEmptyHere, word) != std::end(kEmptyHere);
    if (known) return ok();
    return fail(errc::invalid_argument, "unknown buffer " + std::string(word));
  }

  Result<void> filter(const std::string& spec) {
    const std::size_t colon = spec.rfind(':');
    LogcatFilter rule{spec.substr(0, colon), LogPriority::verbose};
    if (colon != std::string::npos) {
      const auto priority =
          colon + 1 < spec.size() ? parse_priority(spec[colon + 1]) : std::nullopt;
      if (!priority) {
        return fail(errc::invalid_argument, "Invalid filter expression '" + spec + "'");
      }
      rule.at_least = *priority;
    }
    options_.filters.push_back(rule);
    return ok();
  }

  const std::vector<std::string>& args_;
  WallTime now_;
  LogcatOptions options_;
  std::size_t at_ = 1;
  bool buffers_chosen_ = false;
};

}  // namespace

bool LogcatOptions::wants(const LogEntry& entry) const {
  if (!buffers.contains(entry.buffer)) return false;
  if (pid && entry.pid != *pid) return false;
  LogPriority at_least = LogPriority::verbose;
  for (const LogcatFilter& rule : filters) {
    if (rule.tag == "*") at_least = rule.at_least;
  }
  for (const LogcatFilter& rule : filters) {
    if (rule.tag == entry.tag) at_least = rule.at_least;
  }
  return entry.priority >= at_least;
}

Result<LogcatOptions> parse_logcat_options(const std::vector<std::string>& args, WallTime now) {
  return Parser(args, now).run();
}

}  // namespace simdroid
