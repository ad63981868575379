// Subcommands that change how adbd runs: they print the device's answer, and most of them end with
// the link. And `emu`, which connects to an emulator's console.

#include <algorithm>

#include "adbproto/client/emulator_console.hpp"
#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/adb_command.hpp"
#include "cli/adb/context.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/emulator/running.hpp"

namespace clawperator::cli {
namespace {

// AOSP's adb has a buffer of the same size for this answer, and refuses a longer one.
constexpr std::size_t kMaxSentence = 256;
// adbd restarts within seconds; after this limit it has not begun to.
constexpr auto kGoAwayLimit = std::chrono::seconds(10);
constexpr auto kComeBackLimit = std::chrono::seconds(12);  // adb waits 12000 ms for the device, too
// The poll interval is short, so that the short absence of a restarting adbd is seen.
constexpr auto kRestartPollInterval = std::chrono::milliseconds(50);

Task<std::string> read_sentence(ByteStream* stream) {
  std::string sentence;
  Bytes buffer(kMaxSentence);
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size && size.error().code() == errc::cancelled) co_return std::unexpected(size.error());
    if (!size) co_return sentence;
    sentence += as_text(ByteView(buffer).first(*size));
    if (sentence.size() >= kMaxSentence) co_return fail(errc::limit, "unexpected output length");
  }
}

// The server's row of the selected device.
Task<std::optional<DeviceRow>> row_of(ServerClient* server, const AdbContext* context) {
  CO_TRY(const auto rows, co_await server_rows(server));
  co_return chosen_row(*context, rows);
}

// A server does not report that a device went away: a returning device gets a new transport id.
Task<void> wait_gone_from_server(ServerClient* server, DeviceRow before) {
  for (;;) {
    const auto rows = co_await server_rows(server);
    if (!rows || std::ranges::find(*rows, before) == rows->end()) co_return ok();
    co_await sleep_for(kRestartPollInterval);
  }
}

Task<void> wait_gone(Device* device) {
  co_await device->wait_lost();
  co_return ok();
}

Task<void> wait_back(AdbContext* context) {
  while (!co_await open_adb_device(context)) co_await sleep_for(kRestartPollInterval);
  co_return ok();
}

// The restart that follows the service's answer.
class Restart {
 public:
  // Records the device's state before the restart.
  static Task<Restart> expect(AdbContext* context, Device* device) {
    Restart restart(context, device);
    if (device->route() != "server") co_return restart;
    CO_TRY(restart.server_, co_await find_adb_server(context));
    if (!restart.server_) co_return restart;
    CO_TRY(restart.before_, co_await row_of(&*restart.server_, context));
    co_return restart;
  }

  // Returns the exit code; 1 when the device does not come back.
  Task<int> wait() {
    auto gone = before_ ? wait_gone_from_server(&*server_, *before_) : wait_gone(device_);
    const auto left = co_await with_deadline(std::move(gone), kGoAwayLimit, "restart");
    if (!left && left.error().code() == errc::cancelled) co_return std::unexpected(left.error());
    if (context_->target.transport_id) co_return 0;  // a transport id is never used again
    const auto back = co_await with_deadline(wait_back(context_), kComeBackLimit, "");
    if (back) co_return 0;
    if (back.error().code() != errc::deadline_exceeded) co_return std::unexpected(back.error());
    print_err("timeout expired while waiting for device\n");
    co_return 1;
  }

  Restart() = default;

 private:
  Restart(AdbContext* context, Device* device) : context_(context), device_(device) {}

  AdbContext* context_ = nullptr;
  Device* device_ = nullptr;
  std::optional<ServerClient> server_;
  std::optional<DeviceRow> before_;
};

int not_connected(const AdbContext& context, const Error& error) {
  print_err("adb: unable to connect for " + context.name + ": " + adb_words(error) + "\n");
  return 1;
}

// `avd snapshot save` writes the emulator's memory to disk.
constexpr auto kConsoleLimit = std::chrono::seconds(30);

// The console of the named device, else of the only emulator.
Task<std::uint16_t> find_console(AdbContext* context) {
  auto named = context->target.device;
  if (!named && context->target.honour_android_serial)
    named = environment_variable("ANDROID_SERIAL");
  if (named) {
    const auto port = console_port(*named);
    if (port) co_return *port;
    co_return fail(errc::invalid_argument, "");  // adb prints no message here
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

// Also unroot.
Task<int> adb_root(AdbContext* context, AdbWords) {
  const auto device = co_await open_adb_device(context);
  if (!device) co_return not_connected(*context, device.error());
  CO_TRY(auto restart, co_await Restart::expect(context, device->get()));
  const auto stream = co_await (*device)->open(context->name + ":");
  if (!stream) co_return not_connected(*context, stream.error());
  const auto sentence = co_await read_sentence(stream->get());
  if (!sentence) {
    co_return fail(sentence.error().code(), sentence.error().message() + " for " + context->name);
  }
  print_out(*sentence);
  if (!sentence->empty() && sentence->find("restarting") == sentence->npos) co_return 0;
  co_return co_await restart.wait();
}

// Also the verity commands: newer adbd names a program of the device, older adbd has a service.
Task<int> adb_remount(AdbContext* context, AdbWords words) {
  CO_TRY(const auto device, co_await open_adb_device(context));
  std::string command = context->name;
  if (!device->features().has("remount_shell")) {
    co_return co_await print_service(context, command + ":" + (words.empty() ? "" : words.front()));
  }
  for (const std::string& word : words) command += " " + word;
  co_return co_await run_device_command(device.get(), command);
}

Task<int> adb_tcpip(AdbContext* context, AdbWords words) {
  if (words.size() != 1) co_return fail(errc::usage, "tcpip requires an argument");
  const std::string& text = words.front();
  const auto port = whole_number<std::uint16_t>(text);
  if (!port || *port == 0) {
    co_return fail(errc::invalid_argument, "tcpip: invalid port: " + text);
  }
  co_return co_await print_service(context, "tcpip:" + std::to_string(*port));
}

Task<int> adb_usb(AdbContext* context, AdbWords) {
  co_return co_await print_service(context, "usb:");
}

// reboot-bootloader and reboot-fastboot take no argument.
Task<int> adb_reboot(AdbContext* context, AdbWords words) {
  std::string mode = words.empty() ? "" : words.front();
  if (context->name != "reboot") mode = context->name.substr(context->name.find('-') + 1);
  co_return co_await print_service(context, "reboot:" + mode);
}

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
  co_return 0;  // adb exits 0 for a KO, too; it prints it
}

}  // namespace clawperator::cli
