#pragma once
// The global options: they may stand anywhere before the first `--`, the last one wins.
//
// They are taken out of the command line before the command sees it. One rule settles the clash of
// names: after the command, an option the command itself declares is the command's
// (`snapshot --format compact`), unless its value can only be meant globally
// (`snapshot --format pretty`, `screenshot --format json`). So `operator download --version 0.5.3`
// names the app's version; before such a command, and with every other, --version is ours and wins.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/base/error.hpp"
#include "cli/option.hpp"
#include "runtime/device/target.hpp"

namespace clawperator::cli {

enum class OutputMode { json, pretty };

struct Globals {
  TargetOptions target;
  std::optional<std::string> operator_package;
  std::optional<std::string> broadcast_action;
  OutputMode output = OutputMode::json;
  std::optional<double> timeout_ms;  // may be NaN; the command judges
  std::chrono::milliseconds lock_patience{0};
  std::optional<std::string> log_level;
  bool verbose = false;
  bool timings = false;
  bool route = false;
};

struct Scan {
  Globals globals;
  std::vector<std::string> rest;  // the command name first; `--` and what follows verbatim
  bool help = false;
  bool version = false;
};

std::span<const Option> global_options();

// The command whose words are another program's: none of them is a global option. They are put
// behind a `--` in Scan::rest.
inline constexpr std::string_view kForeignCommand = "adb";

// The options that the command named by the words so far declares itself; empty while unknown.
using OwnOptions = std::function<std::span<const Option>(std::span<const std::string>)>;

adbproto::Result<Scan> scan_globals(std::span<const std::string> argv,
                                    const OwnOptions& own_options);

// The output mode a command line asks for, read leniently: errors of the scan itself are printed
// in it.
OutputMode guess_output(std::span<const std::string> argv);

}  // namespace clawperator::cli
