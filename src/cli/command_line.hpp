#pragma once
// argv -> what to do. The order of the checks is the published one: --version, bad global values,
// --help, no command, unknown command, unknown flags.

#include <span>
#include <string>
#include <variant>

#include "adbproto/base/error.hpp"
#include "cli/command.hpp"

namespace clawperator::cli {

struct PrintVersion {};
struct PrintHelp {
  const Command* topic = nullptr;  // nullptr: the top level
};

using Request = std::variant<PrintVersion, PrintHelp, Invocation>;

adbproto::Result<Request> read_command_line(std::span<const std::string> argv);

// `screenshot --path -`, read leniently: stdout belongs to the picture, every document goes to
// stderr, that of an error too.
bool stdout_is_for_picture(std::span<const std::string> argv);

}  // namespace clawperator::cli
