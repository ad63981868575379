#include <unistd.h>

#include "cli/adb/device_service.hpp"
#include "cli/adb/shell_plan.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {

namespace {

int refuse_words(const Error& error) {
  print_err(error.message() + "\n");
  return 1;
}

Task<int> run_shell(AdbContext* context, std::vector<std::string> words) {
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

}  // namespace

constinit const AdbCommand kAdbShell{
    "shell", " shell [-e ESCAPE] [-n] [-Tt] [-x] [COMMAND...]",
    "run remote shell command (interactive shell if no command given)\n"
    "-e: choose escape character, or \"none\"; default '~'\n"
    "-n: don't read from stdin\n"
    "-T: disable pty allocation\n"
    "-t: allocate a pty if on a tty (-tt: force pty allocation)\n"
    "-x: disable remote exit codes and stdout/stderr separation",
    run_shell};

}  // namespace clawperator::cli
