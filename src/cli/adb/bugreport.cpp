#include "cli/adb/bugreport.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "adbproto/client/shell.hpp"
#include "adbproto/client/sync_client.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "cli/adb/context.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "runtime/android/shell_lines.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxLine = 4096;  // "OK:" and a path: Linux's PATH_MAX
// bugreportz prints a few lines; unknown ones are only quoted in an error.
constexpr std::size_t kMaxStrange = 100;

std::optional<std::string_view> after(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

// The program starts and prints one line; a phone under load takes seconds.
constexpr auto kVersionLimit = std::chrono::seconds(30);
constexpr int kFailed = 255;
// Where the zip is written: in a folder it keeps the device's file name.
struct Destination {
  std::string folder{};
  std::string file = "bugreport.zip";

  [[nodiscard]] std::string path() const { return folder.empty() ? file : folder + "/" + file; }
};

bool ends_with_zip(std::string_view name) { return ascii_lower(name).ends_with(".zip"); }

Destination destination_of(const std::vector<std::string>& words) {
  std::error_code ignored;
  if (words.empty()) return {.folder = fs::current_path(ignored).string()};
  const std::string& word = words.front();
  if (fs::is_directory(word, ignored)) return {.folder = word};
  return {.file = ends_with_zip(word) ? word : word + ".zip"};
}

// One line: a terminal shows it in place, other outputs do not get it.
class BugreportLine {
 public:
  void show(int percent, const std::string& what) {
    if (!on_terminal_) return;
    char number[16];
    std::snprintf(number, sizeof number, "\r[%3d%%] ", percent);
    write_out(number + printable_name(what) + "\033[K");
    shown_ = true;
  }
  void end() {
    if (shown_) print_out("\n");
    shown_ = false;
  }

 private:
  bool on_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  bool shown_ = false;
};

void warn_of_strange_lines(const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::string text = "WARNING: bugreportz generated " + std::to_string(lines.size()) +
                     " line(s) with unknown commands, device might not support zipped "
                     "bugreports:\n";
  for (const std::string& line : lines) text += "\t" + line + "\n";
  print_err(text + "If the zipped bugreport was not generated, try 'adb bugreport' instead.\n");
}

std::string summary_of(const std::string& source, const TransferResult& result) {
  const double seconds = static_cast<double>(result.took.count()) / 1e6;
  const double bytes = static_cast<double>(result.bytes);
  char rate[96];
  std::snprintf(rate, sizeof rate, " %.1f MB/s (%llu bytes in %.3fs)\n",
                bytes / (seconds > 0 ? seconds : 1e-6) / (1024 * 1024),
                static_cast<unsigned long long>(result.bytes), seconds);
  return source + ": 1 file pulled, 0 skipped." + rate;
}

Task<int> pull_report(Device* device, std::string source, Destination to, BugreportLine* line) {
  CO_TRY(const auto sync, co_await SyncClient::open(device));
  const std::string what = "pulling " + to.file;
  const auto pulled = co_await sync->pull({source}, to.path(), {}, [&](const auto& progress) {
    if (progress.file_size == 0) return;
    line->show(static_cast<int>(progress.file_done * 100 / progress.file_size), what);
  });
  line->end();
  if (pulled) {
    print_out(summary_of(source, *pulled) + "Bug report copied to " + to.path() + "\n");
    co_return 0;
  }
  if (pulled.error().code() == errc::cancelled) co_return std::unexpected(pulled.error());
  print_out("adb: error: " + pulled.error().message() + "\n");
  print_err("Bug report finished but could not be copied to '" + to.path() +
            "'.\nTry to run 'adb pull " + source +
            " <directory>'\nto copy it to a directory that can be written.\n");
  co_return 1;
}

struct Report {
  BugreportReader lines{};
  std::string err{};
};

// A report takes minutes, so there is no limit but the user's.
Task<Report> generate(Device* device, std::string command, Destination to, BugreportLine* line) {
  const Framing framing = shell_framing(*device);
  CO_TRY(auto stream, co_await device->open(shell_service(framing, ShellKind::pipes, "", command)));
  OutputStream output(std::move(stream), framing);
  Report report;
  for (;;) {
    const auto piece = co_await output.next();
    if (!piece && piece.error().code() != errc::closed) co_return std::unexpected(piece.error());
    if (!piece) break;
    if (!report.lines.feed(as_text(*piece))) continue;
    const std::string name =
        to.folder.empty() ? to.file : fs::path(report.lines.path()).filename().string();
    line->show(report.lines.progress(), "generating " + name);
  }
  report.lines.finish();
  report.err = output.err();
  co_return report;
}

// The device's name for the report, if it is a valid one.
std::string report_name(const std::string& source) {
  std::string name = fs::path(source).filename().string();
  const bool is_report = name.ends_with(".zip") && !name.starts_with('.');
  return is_report ? name : "bugreport.zip";
}

Task<int> zipped(Device* device, std::string command, Destination to) {
  BugreportLine line;
  CO_TRY(const auto report, co_await generate(device, std::move(command), to, &line));
  line.end();
  print_err(report.err);
  if (report.lines.failure()) {
    adb_failed("device failed to take a zipped bugreport: " + *report.lines.failure());
  }
  warn_of_strange_lines(report.lines.strange());
  if (report.lines.failure()) co_return kFailed;
  const std::string source = report.lines.path();
  if (source.empty()) {
    print_err("bugreportz did not return a 'OK:' or 'FAIL:' line\n");
    co_return kFailed;
  }
  if (!to.folder.empty()) to.file = report_name(source);
  co_return co_await pull_report(device, source, std::move(to), &line);
}

// For Android 6 and older.
Task<int> without_bugreportz(Device* device, ShellOutput version, bool has_path) {
  const int status = version.exit_status.value_or(0);
  if (!has_path) {
    print_err(
        "Failed to get bugreportz version, which is only available on devices running Android 7.0 "
        "or later.\nTrying a plain-text bug report instead.\n");
    co_return co_await run_device_command(device, bugreport_line(BugreportForm::text));
  }
  print_err("Failed to get bugreportz version: 'bugreportz -v' returned '" +
            std::string(trimmed(version.out)) + "' (code " + std::to_string(status) +
            ").\nIf the device does not run Android 7.0 or above, try this instead:\n"
            "\tadb bugreport > bugreport.txt\n");
  co_return status != 0 ? status : kFailed;
}

// "1.2" has `bugreportz -s`.
bool can_stream(const std::string& version) {
  int major = 0;
  int minor = 0;
  std::sscanf(version.c_str(), "%d.%d", &major, &minor);
  return major != 1 || minor >= 2;
}

}  // namespace

bool BugreportReader::take_progress(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto done = whole_number<long>(text.substr(0, slash));
  const auto total = slash == text.npos ? std::nullopt : whole_number<long>(text.substr(slash + 1));
  if (!done || !total || *done < 0 || *total <= 0 || *done > *total) return false;
  const int percent =
      static_cast<int>(static_cast<double>(*done) * 100 / static_cast<double>(*total));
  if (percent != 0 && percent <= progress_) return false;
  progress_ = percent;
  return true;
}

bool BugreportReader::take_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return false;
  if (const auto text = after(line, "PROGRESS:")) return take_progress(*text);
  auto path = after(line, "BEGIN:");
  if (!path) path = after(line, "OK:");
  if (path) {
    path_ = *path;
  } else if (const auto reason = after(line, "FAIL:")) {
    failure_ = std::string(*reason);
  } else if (strange_.size() < kMaxStrange) {
    strange_.emplace_back(line);
  }
  return false;
}

bool BugreportReader::feed(std::string_view text) {
  bool changed = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view piece = text.substr(0, end);
    line_ += piece.substr(0, kMaxLine - std::min(kMaxLine, line_.size()));
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
    if (end == text.npos) break;
    changed = take_line(line_) || changed;
    line_.clear();
  }
  return changed;
}

void BugreportReader::finish() {
  take_line(line_);
  line_.clear();
}

Task<int> adb_bugreport(AdbContext* context, AdbWords words) {
  if (words.size() > 1) co_return fail(errc::usage, "usage: adb bugreport [[PATH] | [--stream]]");
  CO_TRY(const auto device, co_await wait_for_adb_device(context));
  CO_TRY(const auto answer,
         co_await run_shell(device.get(), bugreport_version_line(), kVersionLimit));
  const std::string version(trimmed(answer.err));
  if (answer.exit_status.value_or(0) != 0 || version.empty()) {
    co_return co_await without_bugreportz(device.get(), answer, !words.empty());
  }
  const bool streamed = !words.empty() && words.front() == "--stream";
  if (streamed && can_stream(version)) {
    co_return co_await run_device_command(device.get(), bugreport_line(BugreportForm::stream));
  }
  if (streamed) {
    co_return fail(errc::unsupported,
                   "failed to stream bugreport: bugreportz does not support stream");
  }
  if (version == "1.0") {
    print_err(
        "Bugreport is in progress and it could take minutes to complete.\n"
        "Please be patient and do not cancel or disconnect your device until it completes.\n");
  }
  const auto form = version == "1.0" ? BugreportForm::zip : BugreportForm::zip_with_progress;
  co_return co_await zipped(device.get(), bugreport_line(form), destination_of(words));
}

}  // namespace clawperator::cli
