#include "cli/adb/shell_plan.hpp"

namespace clawperator::cli {

namespace {

// Old devices take no longer name, and do not say so.
constexpr std::size_t kMaxUnframedService = 4096;

Result<char> escape_of(std::string_view word) {
  if (word == "none") return kNoEscape;
  if (word.size() == 1) return word.front();
  return fail(errc::invalid_argument, "adb: -e requires a single-character argument or 'none'");
}

Result<void> take_flag(ShellArguments& to, char flag) {
  switch (flag) {
    case 'n': to.without_input = true; return ok();
    case 'T': to.terminal = Terminal::never; return ok();
    case 't':
      to.terminal = to.terminal >= Terminal::wanted ? Terminal::definitely : Terminal::wanted;
      return ok();
    case 'x':  // as adb was before shell_v2
      to.framing = Framing::raw;
      to.terminal = Terminal::definitely;
      to.escape = '~';
      return ok();
    default:
      return fail(errc::invalid_argument,
                  std::string("adb shell: invalid option -- '") + flag + "'");
  }
}

// The options of one word, "-nTe~"; true when -e takes the next word.
Result<bool> take_word(ShellArguments& to, std::string_view flags) {
  for (; !flags.empty(); flags.remove_prefix(1)) {
    if (flags.front() != 'e') {
      TRY_VOID(take_flag(to, flags.front()));
      continue;
    }
    if (flags.size() == 1) return true;
    TRY(to.escape, escape_of(flags.substr(1)));
    return false;
  }
  return false;
}

// The device's shell splits them again, as with ssh.
std::string join(std::span<const std::string> words) {
  std::string command;
  for (const std::string& word : words) {
    if (&word != words.data()) command += ' ';
    command += word;
  }
  return command;
}

ShellKind kind_for(const ShellArguments& arguments, InputKind input) {
  const bool at_terminal = input == InputKind::terminal;
  switch (arguments.terminal) {
    case Terminal::never: return ShellKind::pipes;
    case Terminal::definitely: return ShellKind::terminal;
    case Terminal::wanted: return at_terminal ? ShellKind::terminal : ShellKind::pipes;
    case Terminal::automatic: break;
  }
  return at_terminal && arguments.command.empty() ? ShellKind::terminal : ShellKind::pipes;
}

}  // namespace

Result<ShellArguments> read_shell_arguments(std::span<const std::string> words, Framing best) {
  ShellArguments read{.framing = best};
  if (best == Framing::raw) read.terminal = Terminal::definitely;
  std::size_t at = 0;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "--") {
      ++at;
      break;
    }
    if (word.size() < 2 || word.front() != '-') break;
    TRY(const bool wants_escape, take_word(read, word.substr(1)));
    if (!wants_escape) continue;
    if (++at == words.size()) {
      return fail(errc::invalid_argument, "adb shell: option requires an argument -- 'e'");
    }
    TRY(read.escape, escape_of(words[at]));
  }
  read.command = join(words.subspan(at));
  return read;
}

Result<ShellPlan> plan_shell(const ShellArguments& arguments, Framing best, InputKind input,
                             std::string_view term) {
  ShellPlan plan{.framing = arguments.framing};
  ShellKind kind = kind_for(arguments, input);
  if (arguments.terminal == Terminal::wanted && kind == ShellKind::pipes) {
    plan.warning =
        "Remote PTY will not be allocated because stdin is not a terminal.\n"
        "Use multiple -t options to force remote PTY allocation.\n";
  }
  const bool framed = plan.framing == Framing::shell_v2;
  if (!framed && kind == ShellKind::pipes) {
    const std::string who = best == Framing::raw ? "device" : "-x";
    return fail(errc::unsupported, "error: " + who + " only supports allocating a pty");
  }
  if (!framed) kind = ShellKind::automatic;
  plan.service = shell_service(plan.framing, kind, term, arguments.command);
  if (!framed && plan.service.size() > kMaxUnframedService) {
    return fail(errc::limit, "error: shell command too long");
  }
  const bool interactive = kind == ShellKind::automatic && arguments.command.empty();
  if (kind == ShellKind::terminal || interactive) plan.keyboard = Keyboard::raw;
  return plan;
}

}  // namespace clawperator::cli
