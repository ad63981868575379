// Commands of the device, connected to our own standard streams.
#include "cli/adb/shell.hpp"

#include <unistd.h>

#include "adbproto/wire/services.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/context.hpp"
#include "runtime/android/shell_lines.hpp"

namespace clawperator::cli {
namespace {

// Old devices accept no longer service name, and report no error for one.
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
    case 'x':  // the behaviour of adb before shell_v2
      to.framing = Framing::raw;
      to.terminal = Terminal::definitely;
      to.escape = '~';
      return ok();
    default:
      return fail(errc::invalid_argument,
                  std::string("adb shell: invalid option -- '") + flag + "'");
  }
}

// The options in one word, "-nTe~"; true when -e takes the next word.
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

// The device's shell splits the words again, as with ssh.
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

constexpr int kNotOpened = 255;
// An unframed command gets no end of input. It has this time to read what waits in its terminal
// before the hang-up.
constexpr auto kLastWords = std::chrono::milliseconds(500);

// The first word may be a whole script; the other words are quoted, so that they arrive unchanged.
std::string command_of(const std::vector<std::string>& words) {
  std::string command = words.front();
  for (const std::string& word : std::span(words).subspan(1)) command += " " + quote_as_adb(word);
  return command;
}

int refuse_words(const Error& error) {
  print_err(error.message() + "\n");
  return 1;
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

Task<int> adb_shell(AdbContext* context, AdbWords words) {
  CO_TRY(const auto device, co_await open_adb_device(context));
  const Framing best = shell_framing(*device);
  const auto arguments = read_shell_arguments(words, best);
  if (!arguments) co_return refuse_words(arguments.error());
  const int in = arguments->without_input ? -1 : STDIN_FILENO;
  const auto plan =
      plan_shell(*arguments, best, ::isatty(in) == 1 ? InputKind::terminal : InputKind::other,
                 environment_variable("TERM").value_or(""));
  if (!plan) co_return refuse_words(plan.error());
  print_err(plan->warning);

  const auto stream = co_await device->open(plan->service);
  if (!stream) co_return print_service_error(stream.error(), 1);
  co_return co_await run_session(stream->get(), {.framing = plan->framing,
                                                 .keyboard = plan->keyboard,
                                                 .escape = arguments->escape,
                                                 .in = in});
}

Task<int> adb_exec_out(AdbContext* context, AdbWords words) {
  if (words.empty()) co_return fail(errc::usage, "usage: adb exec-out command");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), kNotOpened);
  const auto stream = co_await (*device)->open(exec(command_of(words)));
  if (!stream) co_return print_service_error(stream.error(), kNotOpened);
  co_return co_await run_session(stream->get(), {.framing = Framing::raw, .in = -1});
}

// Waits for the command: adb exits at the end of the input, and adbd then kills what still runs.
// The end of input is sent in a frame, so with shell_v2 no byte is lost.
Task<int> adb_exec_in(AdbContext* context, AdbWords words) {
  if (words.empty()) co_return fail(errc::usage, "usage: adb exec-in command");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), kNotOpened);
  const Framing framing = shell_framing(**device);
  const std::string command = command_of(words);
  const auto stream = co_await (*device)->open(
      framing == Framing::raw ? exec(command)
                              : shell_service(framing, ShellKind::pipes, "", command));
  if (!stream) co_return print_service_error(stream.error(), kNotOpened);
  SessionOptions session{.framing = framing, .out = -1, .err = -1};
  if (framing == Framing::raw) session.stay_after_input = kLastWords;
  const auto ended = co_await run_session(stream->get(), session);
  if (ended && *ended != kNoExitStatus) co_return 0;
  co_return ended;
}

Task<int> adb_logcat(AdbContext* context, AdbWords words) {
  CO_TRY(const auto device, co_await wait_for_adb_device(context));
  const std::string tags = environment_variable("ANDROID_LOG_TAGS").value_or("");
  co_return co_await run_device_command(device.get(), adb_logcat_line(tags, words));
}

Task<int> adb_longcat(AdbContext* context, AdbWords words) {
  words.insert(words.begin(), {"-v", "long"});
  return adb_logcat(context, std::move(words));
}

Task<int> adb_jdwp(AdbContext* context, AdbWords) {
  co_return co_await print_service(context, "jdwp");
}

}  // namespace clawperator::cli
