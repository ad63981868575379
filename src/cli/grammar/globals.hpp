#pragma once
// The global options: they may stand anywhere before the first `--`; the last one counts.
//
// One rule resolves name clashes. After the command, an option that the command declares belongs to
// the command (`snapshot --format compact`), unless its value is valid only globally (`snapshot
// --format pretty`, `screenshot --format json`). So `operator download --version 0.5.3` names the
// app's version; before such a command, and with every other one, --version prints our version.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"
#include "runtime/device/target.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

// brief is JSON, too: one line with the results of an execution.
enum class OutputMode { json, pretty, brief };
OutputMode output_mode(std::string_view value);

// The values of --transport.
inline constexpr std::pair<std::string_view, Transport> kTransportNames[] = {
    {"auto", Transport::automatic},
    {"server", Transport::server},
    {"tcp", Transport::tcp},
    {"usb", Transport::usb}};

struct Globals {
  TargetOptions target;
  std::optional<std::string> operator_package;
  std::optional<std::string> broadcast_action;
  std::optional<Backend> backend;  // absent: the command's default
  OutputMode output = OutputMode::json;
  std::optional<double> timeout_ms;  // may be NaN; the command checks it
  std::chrono::milliseconds lock_patience{0};
  std::optional<std::string> log_level;
  bool verbose = false;
  std::optional<std::string> trace;  // a file
  bool timings = false;
  bool no_daemon = false;
};

std::span<const Option> global_options();

// The global options that a script command reads after its name. All others belong to the script
// there; for clawperator they must stand before the command.
inline constexpr std::string_view kScriptGlobals =
    "--device --operator-package --json --output --timeout --log-level --verbose --no-daemon "
    "--help "
    "--version --disable-star-suggestions";

// The global option that a flag means although the command declares the flag, because the value is
// valid only globally: `snapshot --format pretty`. nullptr: the command's own option.
const Option* meant_globally(const Option& own, std::string_view spelling, std::string_view value);

// Applies one occurrence of a global option; USAGE for an invalid value.
Result<void> read_global(Globals& globals, const Given& given);

}  // namespace clawperator::cli
