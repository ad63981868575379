#include <algorithm>
#include <regex>

#include "simdroid/device/logcat_options.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kBatch = 64 * 1024;
constexpr int kKilled = 137;

// One `logcat` that prints: its place in the log and its printed entries.
class Reader {
 public:
  Reader(Phone* phone, LogcatOptions options) : log_(&phone->log), options_(std::move(options)) {
    next_ = log_->first();
    if (options_.tail) skip_to_tail(*options_.tail);
    if (options_.since) skip_to_time(*options_.since);
  }

  Result<void> prepare() {
    if (options_.regex.empty()) return ok();
    try {
      regex_.emplace(options_.regex, std::regex::extended | std::regex::optimize);
    } catch (const std::regex_error&) {
      return fail(errc::invalid_argument, "Invalid regex: " + options_.regex);
    }
    return ok();
  }

  // The next piece of output; empty at the end of what there is.
  std::string batch(std::optional<std::size_t> most) {
    std::string out;
    next_ = std::max(next_, log_->first());
    while (next_ < log_->end() && out.size() < kBatch && !finished()) {
      if (most && printed_ >= *most) break;
      append(&out, log_->at(next_++));
    }
    return out;
  }

  [[nodiscard]] bool finished() const {
    return options_.max_count && printed_ >= *options_.max_count;
  }
  [[nodiscard]] std::size_t printed() const { return printed_; }
  [[nodiscard]] bool at_end() const { return next_ >= log_->end(); }
  [[nodiscard]] const LogcatOptions& options() const { return options_; }

 private:
  void skip_to_tail(std::size_t count) {
    next_ = log_->end();
    while (count > 0 && next_ > log_->first()) {
      if (options_.wants(log_->at(--next_))) --count;
    }
  }

  // Backwards to the last entry before that time: the clock may have been set back since.
  void skip_to_time(WallTime since) {
    next_ = log_->end();
    while (next_ > log_->first() && log_->at(next_ - 1).time >= since) --next_;
  }

  void append(std::string* out, const LogEntry& entry) {
    if (!options_.wants(entry)) return;
    if (regex_ && !std::regex_search(entry.message, *regex_)) return;
    ++printed_;
    if (options_.binary) return append_log_record(out, entry);
    if (begun_.insert(entry.buffer).second) {
      *out += std::string("--------- beginning of ") + name(entry.buffer) + "\n";
    }
    append_log_text(out, entry, options_.format);
  }

  LogBuffer* log_;
  LogcatOptions options_;
  std::optional<std::regex> regex_;
  LogBuffer::Position next_ = 1;
  std::size_t printed_ = 0;
  std::set<LogBufferId> begun_;
};

// Android 13 prints through stdio and flushes text only: binary entries wait for a full block.
std::string whole_blocks(std::string* held, std::string out) {
  constexpr std::size_t kBlock = 4096;
  *held += out;
  const std::size_t whole = held->size() / kBlock * kBlock;
  out = held->substr(0, whole);
  held->erase(0, whole);
  return out;
}

// logd ends a reader that is too slow for it; the next one is another.
std::optional<std::size_t> most_before_the_end(const Faults& faults, const Reader& reader) {
  const bool follows = reader.options().end == LogcatEnd::follow;
  if (!follows || !faults.active(Fault::logcat_behind)) return std::nullopt;
  return static_cast<std::size_t>(faults.number(Fault::logcat_behind));
}

bool fell_behind(Faults* faults, const Reader& reader) {
  const auto most = most_before_the_end(*faults, reader);
  if (!most || reader.printed() < *most) return false;
  [[maybe_unused]] const auto cleared = faults->clear("logcat-behind");
  return true;
}

Task<int> follow(Process* process, Reader* reader) {
  constexpr int kHoldsBack = 33;
  const bool holds_back = process->phone->sdk() == kHoldsBack && reader->options().binary &&
                          reader->options().end == LogcatEnd::follow;
  std::string held;
  Phone* phone = process->phone;
  while (true) {
    const bool dies = phone->faults.active(Fault::logcat_dies);
    const auto most =
        dies ? std::optional(static_cast<std::size_t>(phone->faults.number(Fault::logcat_dies)))
             : most_before_the_end(phone->faults, *reader);
    const bool silent = phone->faults.active(Fault::logcat_silent);
    std::string out = silent ? std::string() : reader->batch(most);
    const bool printed = !out.empty();
    if (holds_back) out = whole_blocks(&held, std::move(out));
    if (!out.empty()) CO_TRY_VOID(co_await print(process, std::move(out)));
    if (dies && reader->printed() >= *most) co_return kKilled;
    if (fell_behind(&phone->faults, *reader)) {
      co_return co_await give_up(process, "logcat: Unexpected EOF!\n");
    }
    if (reader->finished()) {
      CO_TRY_VOID(co_await print(process, held));
      co_return 0;
    }
    if (!silent && (printed || !reader->at_end())) continue;
    if (reader->options().end == LogcatEnd::stop_at_end) co_return 0;
    co_await phone->log.changed().wait();
  }
}

// Here all buffers are one.
std::string sizes_of(const LogBuffer& log, const std::set<LogBufferId>& buffers) {
  constexpr std::size_t kKib = 1024;
  std::string text;
  for (const LogBufferId id : buffers) {
    text += std::string(name(id)) + ": ring buffer is " + std::to_string(log.capacity() / kKib) +
            " KiB (0 B consumed), max entry is 5120 B, max payload is 4068 B\n";
  }
  return text;
}

Task<int> run_logcat(Process* process) {
  Phone* phone = process->phone;
  auto options = parse_logcat_options(process->args, phone->clock.now());
  if (!options) co_return co_await give_up(process, options.error().message() + "\n");
  if (phone->faults.active(Fault::logcat_refused)) {
    co_return co_await give_up(process, "logcat: Unable to open log device: Permission denied\n");
  }
  if (options->action == LogcatAction::clear) {
    phone->counters.add("logcat_clear");
    phone->log.clear();
    co_return 0;
  }
  if (options->action == LogcatAction::print_sizes) {
    CO_TRY_VOID(co_await print(process, sizes_of(phone->log, options->buffers)));
    co_return 0;
  }
  if (options->action == LogcatAction::resize) {
    phone->log.set_capacity(options->buffer_size);
    co_return 0;
  }
  if (!options->warning.empty()) CO_TRY_VOID(co_await complain(process, options->warning));
  Reader reader(phone, *std::move(options));
  if (const auto ready = reader.prepare(); !ready) {
    co_return co_await give_up(process, "logcat: " + ready.error().message() + "\n");
  }
  co_return co_await follow(process, &reader);
}

// log [-p PRIORITY] [-t TAG] MESSAGE...
Task<int> run_log(Process* process) {
  std::string tag = "log";
  LogPriority priority = LogPriority::info;
  std::string message;
  for (std::size_t i = 1; i < process->count(); ++i) {
    const std::string& arg = process->arg(i);
    if (arg == "-t") {
      tag = process->arg(++i);
    } else if (arg == "-p") {
      constexpr std::string_view kLetters = "vdiwef";
      const std::string& letter = process->arg(++i);
      const std::size_t at =
          letter.empty() ? std::string_view::npos : kLetters.find(letter.front());
      if (at != std::string_view::npos) priority = static_cast<LogPriority>(at + 2);
    } else {
      message.append(message.empty() ? "" : " ").append(arg);
    }
  }
  const int pid = process->shell->pid() == 0 ? 3999 : process->shell->pid();
  process->phone->log.append({LogBufferId::main, pid, static_cast<std::uint32_t>(pid), kShellUid,
                              process->phone->clock.now(), priority, tag, message});
  co_return 0;
}

constexpr CommandEntry kLogcatCommands[] = {{"logcat", run_logcat, &Latencies::logcat_start},
                                            {"log", run_log}};

}  // namespace

std::span<const CommandEntry> logcat_commands() { return kLogcatCommands; }

}  // namespace simdroid
