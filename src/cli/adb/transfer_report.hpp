#pragma once
// What a push or pull prints about each of its sources, and whether all went well.

#include <cstddef>
#include <string_view>

#include "cli/adb/progress.hpp"

namespace clawperator::cli {

class TransferReport {
 public:
  // `verb`: "pushed" or "pulled".
  TransferReport(std::string_view verb, ProgressLine::Shown shown) : verb_(verb), line_(shown) {}

  // Sets what the options and the call itself need; this object outlives the transfer.
  void listen(adbproto::TransferOptions* options);
  [[nodiscard]] adbproto::OnProgress progress();

  // The exit code. Prints the sum of several sources, or the error that ended all.
  int finish(const Result<adbproto::TransferResult>& result);

 private:
  void report(const adbproto::SourceOutcome& outcome);
  void print_error(const Error& error);

  std::string_view verb_;
  ProgressLine line_;
  std::size_t summaries_ = 0;
  bool failed_ = false;
};

}  // namespace clawperator::cli
