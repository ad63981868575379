
#include "adbproto/client/emulator_console.hpp"
#include "cli/adb/adb_command.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/host/emulator/running.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kConsoleLimit = std::chrono::seconds(30);

// Of the device that was named; else of the only emulator.
Task<std::uint16_t> find_console(AdbContext* context) {
  auto named = context->target.device;
  if (!named && context->target.honour_android_serial)
    named = environment_variable("ANDROID_SERIAL");
  if (named) {
    const auto port = console_port(*named);
    if (port) co_return *port;
    co_return fail(errc::invalid_argument, "");  // adb has no words for it
  }
  const auto rows = co_await list_devices(context->target);
  std::optional<std::uint16_t> found;
  for (const DeviceRow& row : rows.value_or(std::vector<DeviceRow>{})) {
    const auto port = console_port(row.serial);
    if (port && found) {
      co_return fail(errc::multiple_devices_device_id_required,
                     "error: more than one emulator detected; use -s\n");
    }
    if (port) found = port;
  }
  if (!found) co_return fail(errc::no_devices, "error: no emulator detected\n");
  co_return *found;
}

}  // namespace

Task<int> adb_emu(AdbContext* context, AdbWords words) {
  const auto port = co_await find_console(context);
  if (!port) {
    print_err(port.error().message());
    co_return 1;
  }
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + word;
  const auto reply = co_await emulator_command(*port, console_token(), command, kConsoleLimit);
  if (!reply && reply.error().code() == errc::io) {
    print_err("error: could not connect to TCP port " + std::to_string(*port) + ": " +
              reply.error().message() + "\n");
    co_return 1;
  }
  if (!reply) co_return std::unexpected(reply.error());
  print_out(reply->text);
  co_return 0;  // a KO is for the reader
}

}  // namespace clawperator::cli
