#include <span>

#include "adbproto/wire/services.hpp"
#include "cli/adb/device_service.hpp"
#include "cli/adb/shell_session.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/errc.hpp"

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

Task<int> run_exec_out(AdbContext* context, std::vector<std::string> words) {
  if (words.empty()) co_return fail(errc::usage, "usage: adb exec-out command");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), kNotOpened);
  const auto stream = co_await (*device)->open(adbproto::exec(command_of(words)));
  if (!stream) co_return print_service_error(stream.error(), kNotOpened);
  co_return co_await run_session(stream->get(), {.framing = Framing::raw, .in = -1});
}

// Waits for the command: adb leaves when the input has ended, and adbd then kills what still runs.
// The input's end is told in a frame, so with shell_v2 no byte of it is lost.
Task<int> run_exec_in(AdbContext* context, std::vector<std::string> words) {
  if (words.empty()) co_return fail(errc::usage, "usage: adb exec-in command");
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), kNotOpened);
  const Framing framing = shell_framing(**device);
  const std::string command = command_of(words);
  const auto stream = co_await (*device)->open(
      framing == Framing::raw ? adbproto::exec(command)
                              : shell_service(framing, adbproto::ShellKind::pipes, "", command));
  if (!stream) co_return print_service_error(stream.error(), kNotOpened);
  SessionOptions session{.framing = framing, .out = -1, .err = -1};
  if (framing == Framing::raw) session.stay_after_input = kLastWords;
  const auto ended = co_await run_session(stream->get(), session);
  if (ended && *ended != kNoExitStatus) co_return 0;
  co_return ended;
}

}  // namespace

constinit const AdbCommand kAdbExecOut{"exec-out", " exec-out COMMAND...",
                                       "run a command and print its raw output", run_exec_out};
constinit const AdbCommand kAdbExecIn{"exec-in", " exec-in COMMAND...",
                                      "run a command with our input as its input, and wait for it",
                                      run_exec_in};

}  // namespace clawperator::cli
