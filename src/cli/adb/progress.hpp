#pragma once
// What push, pull and install say while and after they move bytes, as adb does:
//
//   [ 45%] /sdcard/film.mp4: 12%                                   one line that changes, on a
//   terminal film.mp4: 1 file pushed, 0 skipped. 31.4 MB/s (1234 bytes in 0.012s)

#include <chrono>
#include <string>
#include <string_view>

#include "adbproto/client/sync_client.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {

// "W: 1 file pushed, 0 skipped. ..." without a line break; what is nothing to count is left out.
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

  // At most ten times in a second.
  void show(const TransferProgress& progress);
  // A whole line above.
  void print(std::string_view line);
  void clear();

 private:
  void write(const std::string& text);

  Stream stream_;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace clawperator::cli
