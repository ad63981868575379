// Commands of the device, joined to our own standard streams.

#include <unistd.h>

#include <span>

#include "adbproto/wire/services.hpp"
#include "cli/adb/context.hpp"
#include "cli/adb/shell_plan.hpp"
#include "runtime/android/adb_lines.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

constexpr int kNotOpened = 255;
// An unframed command is not told that its input has ended: so long it may still take what waits
// in its terminal before the hang-up.
constexpr auto kLastWords = std::chrono::milliseconds(500);

// The first word may be a whole script; those behind it arrive as they are.
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

// Waits for the command: adb leaves when the input has ended, and adbd then kills what still runs.
// The input's end is told in a frame, so with shell_v2 no byte of it is lost.
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
