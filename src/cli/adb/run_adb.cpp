#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "cli/adb/context.hpp"
#include "cli/adb/options.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

// The signal does what it would have done: a shell that started us learns that its loop was
// interrupted, or that nobody reads its pipe, which no exit code tells it.
[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

// Subcommands of adb that there is no way to have here, and why.
constexpr struct {
  std::string_view name, why;
} kNotOffered[] = {
    {"server", "this program is no adb server"},
    {"nodaemon", "this program is no adb server"},
    {"fork-server", "this program is no adb server"},
    {"server-status", "it is a question to the adb server of a later release"},
    {"sideload", "recovery images are not sent"},
    {"rescue", "recovery images are not sent"},
    {"backup", "devices no longer have it"},
    {"restore", "devices no longer have it"},
    {"ppp", "devices no longer have it"},
    {"install-multi-package", "install the packages one by one"},
    {"track-jdwp", "use jdwp"},
    {"track-app", "use jdwp"},
    {"raw", "use clawperator"},
    {"abb", "use shell cmd"},
    {"transport-id", "devices -l lists it"},
    {"pubkey", "keygen FILE writes FILE.pub, too"},
    {"inc-server", "packages are streamed whole"},
};

bool is_family(const AdbCommand& command) { return command.name.ends_with('-'); }

const AdbCommand* find_adb_command(std::string_view name) {
  const auto matches = [&](const AdbCommand& command) {
    return is_family(command) ? name.starts_with(command.name) : name == command.name;
  };
  const auto found = std::ranges::find_if(adb_commands(), matches);
  return found == adb_commands().end() ? nullptr : &*found;
}

int run_line(AdbLine line) {
  const bool no_subcommand = line.subcommand.empty();
  if (no_subcommand) line.subcommand = "help";
  const auto code = run_task(
      run_subcommand(&line.context, std::move(line.subcommand), std::move(line.arguments)));
  if (caught_signal() != 0) die_of(caught_signal());  // everything is tidied up
  if (!code) return adb_failed(code.error().message());
  return no_subcommand ? 1 : *code;
}

}  // namespace

void print_out(std::string_view text) {
  if (!write_all(Stream::out, text)) {
    if (errno == EPIPE) die_of(SIGPIPE);
    print_err("adb: cannot write to stdout\n");
    std::_Exit(1);
  }
}

void print_err(std::string_view text) { write_all(Stream::err, text); }

Task<int> run_subcommand(AdbContext* context, std::string name, AdbWords words) {
  if (const AdbCommand* command = find_adb_command(name)) {
    if (is_family(*command)) words.insert(words.begin(), name.substr(command->name.size()));
    context->name = std::move(name);
    co_return co_await command->run(context, std::move(words));
  }
  for (const auto& [known, why] : kNotOffered) {
    if (name == known) co_return not_offered(name, why);
  }
  co_return adb_failed("unknown command " + name);
}

int run_adb(std::span<const std::string> argv, TargetOptions target) {
  target.on_notice = [](std::string_view text) { print_err("adb: " + std::string(text) + "\n"); };
  auto line = read_adb_line(argv, std::move(target), environment_variable);
  if (!line) return adb_failed(line.error().message());
  return run_line(*std::move(line));
}

}  // namespace clawperator::cli
