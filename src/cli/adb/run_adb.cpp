#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/context.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/version.hpp"

namespace clawperator::cli {
namespace {

// Resets the signal's action and raises it, so that the shell that started us sees a death by a
// signal: an exit code cannot report an interrupt or a closed pipe.
[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

// Subcommands of adb that this program does not have, with the reason.
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
  if (caught_signal() != 0) die_of(caught_signal());  // all resources are released by now
  if (!code) return adb_failed(code.error().message());
  return no_subcommand ? 1 : *code;
}

constexpr std::size_t kColumn = 26;

// Scripts read the first line, which names the protocol, and compare the number in the second one:
// it is the version of the adb that this program behaves like.
std::string version_text() {
  std::string text = "Android Debug Bridge version 1.0.41\nVersion 34.0.5-" +
                     std::string(kVersionText) + "-clawperator\nInstalled as " +
                     own_program().string() + "\n";
  utsname system{};
  if (::uname(&system) != 0) return text;
  return text + "Running on " + system.sysname + " " + system.release + " (" + system.machine +
         ")\n";
}

std::string indented(std::string_view lines) {
  std::string text;
  for (const char c : lines) text += c == '\n' ? "\n     " : std::string(1, c);
  return text;
}

std::string help_row(std::string_view left, std::string_view right) {
  std::string row(left);
  const bool fits = row.size() + 1 <= kColumn && !right.contains('\n');
  if (!fits) return row + "\n     " + indented(right) + "\n";
  row.resize(kColumn, ' ');
  return row + std::string(right) + "\n";
}

constexpr struct {
  std::string_view option, meaning;
} kOptions[] = {
    {"-d", "use the device on USB"},
    {"-e", "use the device on TCP"},
    {"-s SERIAL", "use the device with this serial (overrides $ANDROID_SERIAL)"},
    {"-t ID", "use the device with this transport id of the adb server"},
    {"-H HOST", "host of the adb server [default=localhost]"},
    {"-P PORT", "port of the adb server [default=5037]"},
    {"-L SOCKET", "socket of the adb server [default=tcp:localhost:5037]"},
};

std::string help_text() {
  std::string text = version_text() + "\nglobal options:\n";
  for (const auto& [option, meaning] : kOptions) {
    text += help_row(" " + std::string(option), meaning);
  }
  text += "\ncommands:\n";
  for (const AdbCommand& command : adb_commands()) {
    if (!command.usage.empty()) text += help_row(command.usage, command.summary);
  }
  return text +
         "\nAn adb server that runs is used; without one the devices are reached directly.\n";
}

}  // namespace

void write_out(std::string_view bytes) {
  if (write_all(Stream::out, bytes)) return;
  if (errno == EPIPE) die_of(SIGPIPE);
  print_err("adb: cannot write to stdout\n");
  std::_Exit(1);
}

void print_out(std::string_view text) { write_out(text_for(Stream::out, text)); }

void print_err(std::string_view text) { write_all(Stream::err, text_for(Stream::err, text)); }

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

Task<int> adb_help(AdbContext*, AdbWords) {
  print_out(help_text());
  co_return 0;
}

Task<int> adb_version(AdbContext*, AdbWords) {
  print_out(version_text());
  co_return 0;
}

}  // namespace clawperator::cli
