#include "cli/adb/transfer.hpp"

#include <cstdlib>

#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

Result<Compression> read_compression(const std::string& name) {
  if (const auto known = parse_compression(name)) return *known;
  return fail(errc::usage, "unexpected compression type " + name);
}

// adb compresses what it pushes where the device can, and nothing that it pulls.
Result<Compression> usual_compression(Direction direction) {
  const char* set = std::getenv("ADB_COMPRESSION");
  if (set == nullptr) {
    return direction == Direction::push ? Compression::any : Compression::none;
  }
  const std::string_view wanted = set;
  if (wanted == "0") return Compression::none;
  if (wanted == "1") return Compression::any;
  return read_compression(set);
}

// The options that are one word; false: not one of them.
bool read_switch(Direction direction, const std::string& word, TransferLine& line) {
  auto& options = line.options;
  if (word == "-p") return true;  // once asked for a progress line
  if (word == "-q") return line.quiet = true;
  if (word == "-a") {
    options.keep_times = KeepTimes::yes;
  } else if (word == "-Z") {
    options.compression = Compression::none;
  } else if (word == "--sync") {
    // adb takes it with pull, too, and pulls everything.
    if (direction == Direction::push) options.only_newer = OnlyNewer::yes;
  } else if (word == "-n" && direction == Direction::push) {
    options.dry_run = DryRun::yes;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Result<TransferLine> read_transfer_line(Direction direction,
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
