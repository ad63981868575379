#pragma once
// The arguments of `adb shell`, and the device service that they select.
//
//   adb shell [-e ESCAPE] [-n] [-Tt] [-x] [COMMAND...]

#include "cli/adb/shell_session.hpp"

namespace clawperator::cli {

enum class Terminal {
  automatic,   // interactive and at a terminal
  never,       // -T
  wanted,      // -t: if our own input is a terminal
  definitely,  // -tt, or a device that always allocates one
};

struct ShellArguments {
  Framing framing{};
  Terminal terminal = Terminal::automatic;
  char escape = '~';
  bool without_input = false;  // -n
  std::string command{};       // empty: interactive
};

struct ShellPlan {
  std::string service{};
  Framing framing{};
  Keyboard keyboard = Keyboard::cooked;
  std::string warning{};  // a line for stderr
};

// `best` is the device's best framing. An error's message is the whole line that adb prints.
Result<ShellArguments> read_shell_arguments(std::span<const std::string> words, Framing best);

enum class InputKind { terminal, other };
// `term`: the environment's TERM.
Result<ShellPlan> plan_shell(const ShellArguments& arguments, Framing best, InputKind input,
                             std::string_view term);

}  // namespace clawperator::cli
