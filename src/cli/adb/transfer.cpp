#include "cli/adb/transfer.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/adb/adb_command.hpp"
#include "cli/pretty/pretty_printer.hpp"

namespace clawperator::cli {
namespace {

// Ten times a second is smooth and cheap.
constexpr auto kEvery = std::chrono::milliseconds(100);
constexpr double kMebi = 1024.0 * 1024.0;

std::size_t terminal_width(Stream stream) {
  winsize size{};
  if (::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool is_smart_terminal(Stream stream) {
  const char* term = std::getenv("TERM");
  return ::isatty(static_cast<int>(stream)) == 1 && term != nullptr &&
         std::string_view(term) != "dumb";
}

unsigned percent(std::uint64_t done, std::uint64_t size) {
  if (size == 0) return 100;
  return static_cast<unsigned>(std::min<std::uint64_t>(done, size) * 100 / size);
}

std::string cut(std::string line, std::size_t width) {
  constexpr std::string_view kDots = "...";
  if (line.size() <= width || width < kDots.size() + 2) return line;
  const std::size_t half = (width - kDots.size()) / 2;
  return line.substr(0, half).append(kDots).append(line.substr(line.size() - half));
}

Result<Compression> read_compression(const std::string& name) {
  if (const auto known = parse_compression(name)) return *known;
  return fail(errc::usage, "unexpected compression type " + name);
}

// Like adb, pushes are compressed if the device supports it, pulls are not.
Result<Compression> usual_compression(TransferWay direction) {
  const char* set = std::getenv("ADB_COMPRESSION");
  if (set == nullptr) {
    return direction == TransferWay::push ? Compression::any : Compression::none;
  }
  const std::string_view wanted = set;
  if (wanted == "0") return Compression::none;
  if (wanted == "1") return Compression::any;
  return read_compression(set);
}

// Reads an option without a value; false: not one of them.
bool read_switch(TransferWay direction, const std::string& word, TransferLine& line) {
  auto& options = line.options;
  if (word == "-p") return true;  // older adb: print progress
  if (word == "-q") return line.quiet = true;
  if (word == "-a") {
    options.keep_times = KeepTimes::yes;
  } else if (word == "-Z") {
    options.compression = Compression::none;
  } else if (word == "--sync") {
    // adb accepts it for pull, too, and still pulls everything.
    if (direction == TransferWay::push) options.only_newer = OnlyNewer::yes;
  } else if (word == "-n" && direction == TransferWay::push) {
    options.dry_run = DryRun::yes;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string transfer_summary(std::string_view what, std::string_view verb,
                             const TransferResult& result) {
  std::string text(what);
  if (!text.empty()) text += ": ";
  text += std::to_string(result.files) + (result.files == 1 ? " file " : " files ");
  text.append(verb).append(", ").append(std::to_string(result.skipped)).append(" skipped.");
  if (result.bytes == 0) return text;
  const double seconds = std::max(static_cast<double>(result.took.count()), 1.0) / 1e6;
  char rate[96];
  std::snprintf(rate, sizeof rate, " %.1f MB/s (%llu bytes in %.3fs)",
                static_cast<double>(result.bytes) / seconds / kMebi,
                static_cast<unsigned long long>(result.bytes), seconds);
  return text + rate;
}

std::string progress_text(const TransferProgress& progress, std::size_t width) {
  char overall[16] = "[  ?%] ";
  if (progress.total_size > 0) {
    std::snprintf(overall, sizeof overall, "[%3u%%] ",
                  percent(progress.total_done, progress.total_size));
  }
  const std::string line = overall + progress.path + ": " +
                           std::to_string(percent(progress.file_done, progress.file_size)) + "%";
  // A device's file name may contain control characters; a cut may leave half a character.
  return printable_name(cut(line, width));
}

ProgressLine::ProgressLine(Shown shown, Stream stream)
    : stream_(stream), shown_(shown == Shown::if_terminal && is_smart_terminal(stream)) {}

void ProgressLine::show(const TransferProgress& progress) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
  drawn_ = true;
  write("\r" + progress_text(progress, terminal_width(stream_)) + "\x1b[K");
}

void ProgressLine::print(std::string_view line) {
  clear();
  write(line_for(stream_, std::string(line)) + "\n");
}

void ProgressLine::clear() {
  if (std::exchange(drawn_, false)) write("\r\x1b[K");
}

void ProgressLine::write(const std::string& text) {
  if (stream_ == Stream::out) return write_out(text);
  write_all(stream_, text);
}

Result<TransferLine> read_transfer_line(TransferWay direction,
                                        const std::vector<std::string>& arguments) {
  TransferLine line;
  TRY(line.options.compression, usual_compression(direction));
  bool only_paths = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (only_paths || !word.starts_with('-')) {
      line.paths.push_back(word);
    } else if (word == "--") {
      only_paths = true;
    } else if (word == "-z") {
      if (++i == arguments.size()) return fail(errc::usage, "-z requires an argument");
      TRY(line.options.compression, read_compression(arguments[i]));
    } else if (!read_switch(direction, word, line)) {
      return fail(errc::usage, "unrecognized option '" + word + "'");
    }
  }
  return line;
}

void TransferReport::listen(TransferOptions* options) {
  options->on_source = [this](const SourceOutcome& outcome) { report(outcome); };
}

OnProgress TransferReport::progress() {
  return [this](const TransferProgress& progress) { line_.show(progress); };
}

void TransferReport::print_error(const Error& error) {
  line_.print("adb: error: " + error.message());
  failed_ = true;
}

void TransferReport::report(const SourceOutcome& outcome) {
  for (const std::string& warning : outcome.result.warnings) {
    line_.print("adb: warning: " + warning);
  }
  for (const Error& error : outcome.result.unread) print_error(error);
  if (outcome.error) return print_error(*outcome.error);
  const bool tree = outcome.kind == SourceOutcome::Kind::tree;
  if (!tree && outcome.result.files + outcome.result.skipped == 0) return;  // a special file
  std::string name = outcome.source;
  if (tree && !name.ends_with('/')) name += '/';
  line_.print(transfer_summary(name, verb_, outcome.result));
  ++summaries_;
}

int TransferReport::finish(const Result<TransferResult>& result) {
  if (!result) {
    print_error(result.error());
  } else if (summaries_ > 1) {
    line_.print(transfer_summary("", verb_, *result));
  }
  return failed_ ? 1 : 0;
}

}  // namespace clawperator::cli
