#include "cli/adb/device_service.hpp"

#include <algorithm>

#include "cli/adb/shell_session.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {

namespace {

constexpr auto kListAgain = std::chrono::milliseconds(250);

// What a server says of a device that is not usable yet.
constexpr std::string_view kAbsences[] = {"not found", "no devices",   "no emulators",
                                          "offline",   "unauthorized", "still"};

bool may_come_yet(const Error& error) {
  switch (error.code()) {
    case errc::no_devices:
    case errc::device_not_found:
    case errc::device_offline:
    case errc::device_unauthorized: return true;
    case errc::refused: break;
    default: return false;
  }
  return std::ranges::any_of(
      kAbsences, [&](std::string_view words) { return error.message().contains(words); });
}

Task<void> copy_out(ByteStream* stream) {
  Bytes buffer(64 * 1024);
  for (;;) {
    CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
    print_out(as_text(ByteView(buffer).first(size)));
  }
}

}  // namespace

std::string adb_words(const Error& error) {
  const bool by_adbd = error.code() == errc::refused && error.message().contains("refused");
  return by_adbd ? "closed" : error.message();
}

int print_service_error(const Error& error, int code) {
  print_err("error: " + adb_words(error) + "\n");
  return code;
}

Task<std::unique_ptr<Device>> wait_for_adb_device(AdbContext* context) {
  auto device = co_await open_adb_device(context);
  if (device || !may_come_yet(device.error())) co_return device;
  print_err("- waiting for device -\n");
  context->target.authorization_limit = {};  // a person was asked once
  while (!device && may_come_yet(device.error())) {
    co_await sleep_for(kListAgain);
    device = co_await open_adb_device(context);
  }
  co_return device;
}

Task<int> print_service(AdbContext* context, std::string service) {
  const auto device = co_await open_adb_device(context);
  if (!device) co_return print_service_error(device.error(), 1);
  const auto stream = co_await (*device)->open(std::move(service));
  if (!stream) co_return print_service_error(stream.error(), 1);
  const auto ended = co_await copy_out(stream->get());
  if (ended.error().code() == errc::cancelled) co_return std::unexpected(ended.error());
  co_return 0;
}

Task<int> run_device_command(Device* device, std::string command) {
  const Framing framing = shell_framing(*device);
  const auto term = environment_variable("TERM").value_or("");
  const auto stream =
      co_await device->open(shell_service(framing, adbproto::ShellKind::automatic, term, command));
  if (!stream) co_return print_service_error(stream.error(), 1);
  co_return co_await run_session(stream->get(), {.framing = framing, .in = -1});
}

}  // namespace clawperator::cli
