#pragma once
// Reads argv. The order of the checks is the published one: --version, bad global values, --help,
// no command, unknown command, unknown flags.

#include <variant>

#include "base/error.hpp"
#include "cli/grammar/command.hpp"

namespace clawperator::cli {

struct PrintVersion {};
struct PrintHelp {
  const Command* topic = nullptr;  // nullptr: the top level
};

using Request = std::variant<PrintVersion, PrintHelp, Invocation>;

struct CommandLine {
  Result<Request> request;
  OutputMode output;           // how an error is printed
  bool stdout_is_for_picture;  // every document goes to stderr
};

CommandLine read_command_line(std::span<const std::string> argv);

// Reads only the global options of a line, which may be incomplete.
Result<Globals> globals_of(std::span<const std::string> argv);

}  // namespace clawperator::cli
