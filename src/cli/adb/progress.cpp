#include "cli/adb/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/adb/adb_command.hpp"
#include "cli/pretty/people.hpp"

namespace clawperator::cli {
namespace {

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
  // A name on the device may hold what would move the cursor; a cut may leave half a character.
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
  if (stream_ == Stream::out) return print_out(text);
  write_all(stream_, text);
}

}  // namespace clawperator::cli
