#pragma once
// The options of push and pull:  [-a] [-z ALGORITHM] [-Z] [-n] [-q] [--sync] PATH...
// What they print about each of their sources, and whether all went well.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/sync_client.hpp"
#include "cli/adb/progress.hpp"

namespace clawperator::cli {

enum class Direction { push, pull };

struct TransferLine {
  TransferOptions options{};
  bool quiet = false;
  std::vector<std::string> paths{};
};

// Fails with adb's words.
Result<TransferLine> read_transfer_line(Direction direction,
                                        const std::vector<std::string>& arguments);

class TransferReport {
 public:
  // `verb`: "pushed" or "pulled".
  TransferReport(std::string_view verb, ProgressLine::Shown shown) : verb_(verb), line_(shown) {}

  // Sets what the options and the call itself need; this object outlives the transfer.
  void listen(TransferOptions* options);
  [[nodiscard]] OnProgress progress();

  // The exit code. Prints the sum of several sources, or the error that ended all.
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
