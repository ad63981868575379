#include "cli/adb/transfer_report.hpp"

namespace clawperator::cli {

void TransferReport::listen(adbproto::TransferOptions* options) {
  options->on_source = [this](const adbproto::SourceOutcome& outcome) { report(outcome); };
}

adbproto::OnProgress TransferReport::progress() {
  return [this](const adbproto::TransferProgress& progress) { line_.show(progress); };
}

void TransferReport::print_error(const Error& error) {
  line_.print("adb: error: " + error.message());
  failed_ = true;
}

void TransferReport::report(const adbproto::SourceOutcome& outcome) {
  for (const std::string& warning : outcome.result.warnings) {
    line_.print("adb: warning: " + warning);
  }
  for (const Error& error : outcome.result.unread) print_error(error);
  if (outcome.error) return print_error(*outcome.error);
  const bool tree = outcome.kind == adbproto::SourceOutcome::Kind::tree;
  if (!tree && outcome.result.files + outcome.result.skipped == 0) return;  // a special file
  std::string name = outcome.source;
  if (tree && !name.ends_with('/')) name += '/';
  line_.print(transfer_summary(name, verb_, outcome.result));
  ++summaries_;
}

int TransferReport::finish(const Result<adbproto::TransferResult>& result) {
  if (!result) {
    print_error(result.error());
  } else if (summaries_ > 1) {
    line_.print(transfer_summary("", verb_, *result));
  }
  return failed_ ? 1 : 0;
}

}  // namespace clawperator::cli
