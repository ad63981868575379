#include "cli/adb/transfer_options.hpp"

#include <cstdlib>

#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

Result<adbproto::Compression> read_compression(const std::string& name) {
  if (const auto known = adbproto::parse_compression(name)) return *known;
  return fail(errc::usage, "unexpected compression type " + name);
}

// adb compresses what it pushes where the device can, and nothing that it pulls.
Result<adbproto::Compression> usual_compression(Direction direction) {
  const char* set = std::getenv("ADB_COMPRESSION");
  if (set == nullptr) {
    return direction == Direction::push ? adbproto::Compression::any : adbproto::Compression::none;
  }
  const std::string_view wanted = set;
  if (wanted == "0") return adbproto::Compression::none;
  if (wanted == "1") return adbproto::Compression::any;
  return read_compression(set);
}

// The options that are one word; false: not one of them.
bool read_switch(Direction direction, const std::string& word, TransferLine& line) {
  auto& options = line.options;
  if (word == "-p") return true;  // once asked for a progress line
  if (word == "-q") return line.quiet = true;
  if (word == "-a") {
    options.keep_times = adbproto::KeepTimes::yes;
  } else if (word == "-Z") {
    options.compression = adbproto::Compression::none;
  } else if (word == "--sync") {
    // adb takes it with pull, too, and pulls everything.
    if (direction == Direction::push) options.only_newer = adbproto::OnlyNewer::yes;
  } else if (word == "-n" && direction == Direction::push) {
    options.dry_run = adbproto::DryRun::yes;
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

}  // namespace clawperator::cli
