#pragma once
// What push, pull and install print during and after a transfer, like adb:
//
//   [ 45%] /sdcard/film.mp4: 12%                                   one line that changes, on a
//   terminal film.mp4: 1 file pushed, 0 skipped. 31.4 MB/s (1234 bytes in 0.012s)
//
// The options of push and pull:  [-a] [-z ALGORITHM] [-Z] [-n] [-q] [--sync] PATH...
// What they print about each source, and their exit code.

#include "adbproto/client/sync_client.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {

// "W: 1 file pushed, 0 skipped. ..." without a line break; counts of zero are left out.
std::string transfer_summary(std::string_view what, std::string_view verb,
                             const TransferResult& result);

// "[ 45%] PATH: 12%", cut to `width` columns with dots in the middle.
std::string progress_text(const TransferProgress& progress, std::size_t width);

class ProgressLine {
 public:
  enum class Shown { if_terminal, never };
  explicit ProgressLine(Shown shown, Stream stream = Stream::out);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Prints at most ten times a second.
  void show(const TransferProgress& progress);
  // Prints a whole line above the progress line.
  void print(std::string_view line);
  void clear();

 private:
  void write(const std::string& text);

  Stream stream_;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

enum class TransferWay { push, pull };

struct TransferLine {
  TransferOptions options{};
  bool quiet = false;
  std::vector<std::string> paths{};
};

// The error has adb's message.
Result<TransferLine> read_transfer_line(TransferWay direction,
                                        const std::vector<std::string>& arguments);

class TransferReport {
 public:
  // `verb`: "pushed" or "pulled".
  TransferReport(std::string_view verb, ProgressLine::Shown shown) : verb_(verb), line_(shown) {}

  // Sets the callbacks that the report needs; this object outlives the transfer.
  void listen(TransferOptions* options);
  [[nodiscard]] OnProgress progress();

  // Prints the total of several sources, or the error that ended the transfer. Returns the exit
  // code.
  int finish(const Result<TransferResult>& result);

 private:
  void report(const SourceOutcome& outcome);
  void print_error(const Error& error);

  std::string_view verb_;
  ProgressLine line_;
  std::size_t summaries_ = 0;
  bool failed_ = false;
};

}  // namespace clawperator::cli
