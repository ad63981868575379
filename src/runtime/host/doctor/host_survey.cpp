#include "runtime/host/doctor/host_survey.hpp"

#include <algorithm>
#include <utility>

#include "adbproto/client/server_client.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/device/start_server.hpp"

namespace clawperator {

namespace {

Task<void> ask_server(ServerClient client, ServerFacts* facts) {
  using namespace adbproto::parallel;
  auto [version, features, lines] =
      co_await (client.version() && client.host_features() && client.devices(ListFormat::detailed));
  if (!version) co_return std::unexpected(version.error());
  facts->version = *version;
  facts->usb_backend = features && features->has("libusb") ? "libusb" : "native";
  if (!lines) co_return std::unexpected(lines.error());
  for (const auto& line : *lines) facts->rows.push_back(server_row(line));
  co_return ok();
}

asio::awaitable<ServerFacts> look_at_server(TargetOptions target, ServerClient client) {
  ServerFacts facts;
  facts.address = client.address().to_string();
  facts.is_asked =
      target.transport == Transport::automatic || target.transport == Transport::server;
  if (!facts.is_asked) co_return facts;
  const auto answered = co_await ask_server(std::move(client), &facts);
  if (!answered) facts.problem = answered.error();
  co_return facts;
}

asio::awaitable<UsbFacts> look_at_usb(TargetOptions target) {
  Routes routes(std::move(target));
  const auto bus = co_await routes.usb_bus();
  if (!bus) co_return UsbFacts{.problem = bus.error()};
  UsbFacts facts;
  facts.phones = co_await (*bus)->devices();
  if (facts.phones.empty()) co_return facts;
  if (const auto usable = (*bus)->can_open(); !usable) facts.no_library = usable.error();
  co_return facts;
}

// That somebody holds a phone shows when it is opened. Ours is open, the server's are not touched.
asio::awaitable<std::vector<DeviceRow>> try_other_phones(TargetOptions target, HostFacts facts) {
  Routes routes(std::move(target));
  std::vector<DeviceRow> rows;
  for (const auto& phone : facts.usb.phones) {
    const bool is_held = std::ranges::any_of(
        facts.server.rows, [&](const DeviceRow& row) { return holds(row, phone); });
    const bool is_ours = facts.route == "usb" && usb_row(phone).serial == facts.serial;
    const bool is_open = phone.access == adbproto::UsbDevice::Access::open;
    if (is_open && !is_held && !is_ours) rows.push_back(co_await routes.describe_usb_phone(phone));
  }
  co_return rows;
}

// The states of everything, when nothing can be used as it is.
asio::awaitable<std::vector<DeviceRow>> all_rows(TargetOptions target) {
  auto rows = co_await list_devices(std::move(target), Detail::states);
  co_return rows ? *std::move(rows) : std::vector<DeviceRow>{};
}

// --start-server, once for all that follows.
Task<void> start_if_absent(ServerClient client) {
  const auto version = co_await client.version();
  if (version || version.error().code() != errc::io) co_return ok();
  co_return co_await start_adb_server(client.address());
}

bool is_for_the_caller(const Error& error) {
  return error.code() == errc::invalid_argument || error.code() == errc::cancelled;
}

}  // namespace

Task<HostSurvey> survey_host(TargetOptions target) {
  using namespace adbproto::parallel;
  target.authorization_limit = {};
  const Routes routes(target);
  CO_TRY(auto client, routes.server());
  Result<void> started;
  if (std::exchange(target.start_server, false)) started = co_await start_if_absent(client);
  HostSurvey survey;
  HostFacts& facts = survey.facts;
  auto [device, server, usb] = co_await (
      resolve_device(target) && look_at_server(target, std::move(client)) && look_at_usb(target));
  facts.question = question_of(target);
  facts.server = std::move(server);
  if (!started) facts.server.problem = started.error();
  facts.usb = std::move(usb);
  facts.key = adbproto::look_at_user_key(environment_variable);
  if (device) {
    survey.device = *std::move(device);
    facts.serial = survey.device->serial();
    facts.route = survey.device->route();
    facts.rows = co_await try_other_phones(std::move(target), facts);
    co_return survey;
  }
  if (is_for_the_caller(device.error())) co_return std::unexpected(device.error());
  facts.unresolved = device.error();
  facts.rows = co_await all_rows(target);
  co_return survey;
}

}  // namespace clawperator
