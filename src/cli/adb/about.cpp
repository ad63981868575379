#include <sys/utsname.h>

#include <filesystem>

#include "cli/adb/context.hpp"
#include "cli/version.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kColumn = 26;

// Scripts read the first line, which names the protocol, and compare the second one's number: it is
// that of the adb whose behaviour this is.
std::string version_text() {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  std::string text = "Android Debug Bridge version 1.0.41\nVersion 34.0.5-" +
                     std::string(kVersionText) + "-clawperator\nInstalled as " + program.string() +
                     "\n";
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

Task<int> adb_help(AdbContext*, AdbWords) {
  print_out(help_text());
  co_return 0;
}

Task<int> adb_version(AdbContext*, AdbWords) {
  print_out(version_text());
  co_return 0;
}

}  // namespace clawperator::cli
