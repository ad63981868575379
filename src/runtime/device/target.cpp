#include "runtime/device/target.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/server_client.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/link/scope.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/device/start_server.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

using adbproto::Device;
using adbproto::DeviceLine;
using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::ListFormat;
using adbproto::Result;
using adbproto::ServerAddress;
using adbproto::ServerClient;
using adbproto::Task;
using DevicePtr = std::unique_ptr<Device>;

namespace {

constexpr std::string_view kReady = "device";
constexpr auto kDialLimit = std::chrono::milliseconds(1500);
constexpr auto kDeviceLimit = std::chrono::milliseconds(5000);  // also of each service it opens
constexpr auto kIdentityLimit = std::chrono::milliseconds(2000);

Error server_failed(const ServerAddress& address, const Error& why) {
  ErrorMembers members;
  members.text("hint",
               "start an adb server (or pass --start-server), name another one with "
               "--adb-server, or use --device HOST:PORT --transport tcp");
  members.object("details", ErrorMembers().text("server", address.to_string()));
  return {Errc::adb_server_failed,
          "no adb server answers at " + address.to_string() + ": " + why.message(), members.str()};
}

Result<ServerClient> server_of(const TargetOptions& options) {
  TRY(auto address, adbproto::choose_server_address(options.adb_server, environment_variable));
  return ServerClient(std::move(address));
}

// Nobody listening is the one failure that --start-server can cure.
Task<std::vector<DeviceLine>> server_lines(ServerClient client, bool start, ListFormat format) {
  auto lines = co_await client.devices(format);
  if (!lines && lines.error().code() == Errc::io && start) {
    CO_TRY_VOID(co_await start_adb_server(client.address()));
    lines = co_await client.devices(format);
  }
  if (!lines) co_return std::unexpected(server_failed(client.address(), lines.error()));
  co_return lines;
}

DeviceRow server_row(const DeviceLine& line) {
  DeviceRow row{.serial = line.serial,
                .state = line.state,
                .transport = "server",
                .transport_id = {},
                .identity = {},
                .product = line.product,
                .model = line.model,
                .device = line.device,
                .bus_address = line.devpath};
  if (line.transport_id != 0) row.transport_id = std::to_string(line.transport_id);
  return row;
}

DeviceRow target_row(const std::string& address, const Result<DevicePtr>& device) {
  DeviceRow row;
  row.serial = address;
  row.transport = "tcp";
  row.state = device ? kReady : "offline";
  if (!device && device.error().code() == Errc::device_unauthorized) row.state = "unauthorized";
  return row;
}

Task<DevicePtr> dial(std::string address, std::chrono::milliseconds limit) {
  CO_TRY(auto parsed, adbproto::parse_device_address(address));
  co_return co_await adbproto::connect_device(
      std::move(parsed), {.delayed_ack = adbproto::DelayedAck::silent, .limit = limit});
}

asio::awaitable<void> dial_row(std::shared_ptr<std::vector<DeviceRow>> rows, std::size_t at) {
  DeviceRow& row = (*rows)[at];
  row = target_row(row.serial, co_await dial(row.serial, kDialLimit));
}

// All at once: a dead address must not hold up the others.
Task<std::vector<DeviceRow>> target_rows(const std::vector<std::string>* targets) {
  const auto rows = std::make_shared<std::vector<DeviceRow>>(targets->size());
  adbproto::Scope dials(co_await asio::this_coro::executor);
  for (std::size_t i = 0; i < targets->size(); ++i) {
    (*rows)[i].serial = (*targets)[i];
    dials.spawn(dial_row(rows, i));
  }
  co_await dials.join();
  co_return *rows;
}

struct Sources {
  std::vector<DeviceRow> rows;
  std::optional<Error> server_error;  // when the server did not answer
};

// `only`: nobody else is asked for.
std::vector<std::string> targets_to_dial(Transport transport,
                                         const std::optional<std::string>& only) {
  if (transport == Transport::server) return {};
  auto targets = read_targets();
  if (only) std::erase_if(targets, [&](const std::string& target) { return target != *only; });
  return targets;
}

Task<Sources> gather(TargetOptions options, std::optional<std::string> only) {
  using namespace asio::experimental::awaitable_operators;
  Sources sources;
  const auto targets = targets_to_dial(options.transport, only);
  if (options.transport == Transport::tcp) {
    CO_TRY(sources.rows, co_await target_rows(&targets));
    co_return sources;
  }
  CO_TRY(auto client, server_of(options));
  auto listing = server_lines(std::move(client), options.start_server, ListFormat::detailed);
  Result<std::vector<DeviceLine>> lines;
  Result<std::vector<DeviceRow>> dialled;
  if (targets.empty()) {
    lines = co_await std::move(listing);
  } else {
    std::tie(lines, dialled) = co_await (std::move(listing) && target_rows(&targets));
  }
  if (!lines) {
    sources.server_error = lines.error();
  } else {
    for (const DeviceLine& line : *lines) sources.rows.push_back(server_row(line));
  }
  if (dialled) std::ranges::move(*dialled, std::back_inserter(sources.rows));
  co_return sources;
}

std::vector<std::string> ready_serials(const std::vector<DeviceRow>& rows) {
  std::vector<std::string> serials;
  for (const DeviceRow& row : rows) {
    if (row.state == kReady) serials.push_back(row.serial);
  }
  return serials;
}

std::optional<std::string> asked_serial(const TargetOptions& options) {
  if (options.device) return options.device;
  if (options.honour_android_serial) return environment_variable("ANDROID_SERIAL");
  return std::nullopt;
}

Error not_found(const std::string& serial, const std::vector<DeviceRow>& rows) {
  ErrorMembers details;
  details.strings("connected", ready_serials(rows));
  for (const DeviceRow& row : rows) {
    if (row.serial == serial) details.text("state", row.state);
  }
  return {Errc::device_not_found, "Device " + serial + " not found or not in device state",
          ErrorMembers().object("details", details).str()};
}

Error several(const std::vector<std::string>& serials) {
  std::string list;
  for (const std::string& serial : serials) list += (list.empty() ? "" : ", ") + serial;
  return {Errc::multiple_devices_device_id_required,
          "Multiple devices connected (" + list +
              "). Choose one with --device <serial>, e.g. --device " + serials.front(),
          ErrorMembers().object("details", ErrorMembers().strings("devices", serials)).str()};
}

Error no_devices(const std::vector<DeviceRow>& rows) {
  if (rows.empty()) return {Errc::no_devices, "No connected devices"};
  ErrorMembers states;
  for (const DeviceRow& row : rows) states.text(row.serial, row.state);
  return {Errc::no_devices, "No connected devices",
          ErrorMembers().object("details", ErrorMembers().object("states", states)).str()};
}

Task<DevicePtr> open_row(const TargetOptions* options, const DeviceRow* row) {
  if (row->transport == "tcp") co_return co_await dial(row->serial, kDeviceLimit);
  CO_TRY(auto client, server_of(*options));
  const std::uint64_t id = std::strtoull(row->transport_id.c_str(), nullptr, 10);
  if (id != 0) co_return co_await client.device(id, row->serial);
  co_return co_await client.device(row->serial);
}

// Two transports of one phone are one device; which they are, only the phone can tell.
Task<DevicePtr> only_identity(const TargetOptions* options, const std::vector<DeviceRow>* rows) {
  std::set<std::string> identities;
  DevicePtr first;
  for (const DeviceRow& row : *rows) {
    if (row.state != kReady) continue;
    auto device = co_await open_row(options, &row);
    if (!device) continue;
    const auto serialno =
        co_await adbproto::run_shell(device->get(), "getprop ro.serialno", kIdentityLimit);
    const std::string text =
        serialno ? serialno->out.substr(0, serialno->out.find_last_not_of("\r\n") + 1) : "";
    identities.insert(text.empty() ? row.serial : text);
    if (!first) first = *std::move(device);
  }
  if (identities.size() != 1) co_return std::unexpected(several(ready_serials(*rows)));
  co_return first;
}

Task<DevicePtr> choose(const TargetOptions* options, const Sources* sources) {
  const auto serial = asked_serial(*options);
  if (!serial) {
    const auto ready = ready_serials(sources->rows);
    if (ready.empty()) co_return std::unexpected(no_devices(sources->rows));
    if (ready.size() > 1) co_return co_await only_identity(options, &sources->rows);
    const auto at = std::ranges::find(sources->rows, std::string(kReady), &DeviceRow::state);
    co_return co_await open_row(options, &*at);
  }
  const auto at = std::ranges::find_if(sources->rows, [&](const DeviceRow& row) {
    return row.serial == *serial && row.state == kReady;
  });
  if (at == sources->rows.end()) co_return std::unexpected(not_found(*serial, sources->rows));
  co_return co_await open_row(options, &*at);
}

}  // namespace

Task<std::vector<DeviceRow>> list_devices(TargetOptions options) {
  CO_TRY(auto sources, co_await gather(std::move(options), std::nullopt));
  if (sources.server_error && sources.rows.empty()) {
    co_return std::unexpected(*std::move(sources.server_error));
  }
  co_return std::move(sources.rows);
}

Task<DevicePtr> resolve_device(TargetOptions options) {
  const auto serial = asked_serial(options);
  if (options.transport == Transport::tcp && serial) {
    auto device = co_await dial(*serial, kDeviceLimit);
    const bool absent = !device && (device.error().code() == Errc::io ||
                                    device.error().code() == Errc::deadline_exceeded);
    if (!absent) co_return device;
    co_return fail(Errc::device_not_found,
                   "Device " + *serial + " not found: " + device.error().message(),
                   ErrorMembers().object("details", ErrorMembers().strings("connected", {})).str());
  }
  CO_TRY(const auto sources, co_await gather(options, serial));
  if (sources.server_error && ready_serials(sources.rows).empty()) {
    co_return std::unexpected(*sources.server_error);
  }
  co_return co_await choose(&options, &sources);
}

Task<std::string> connect_target(TargetOptions options, std::string address) {
  CO_TRY(const auto parsed, adbproto::parse_device_address(address));
  const std::string name = parsed.to_string();
  if (options.transport != Transport::tcp) {
    CO_TRY(auto client, server_of(options));
    const auto lines = co_await server_lines(client, options.start_server, ListFormat::brief);
    if (lines) co_return co_await client.connect(name);
    if (options.transport == Transport::server) co_return std::unexpected(lines.error());
  }
  CO_TRY(const auto device, co_await dial(name, kDeviceLimit));
  CO_TRY_VOID(add_target(name));
  co_return "connected to " + name;
}

Task<std::string> disconnect_target(TargetOptions options, std::string address) {
  CO_TRY(const auto parsed, adbproto::parse_device_address(address));
  const std::string name = parsed.to_string();
  CO_TRY(const bool known, remove_target(name));
  if (options.transport != Transport::tcp) {
    CO_TRY(auto client, server_of(options));
    const auto lines = co_await server_lines(client, options.start_server, ListFormat::brief);
    if (lines) {
      auto told = co_await client.disconnect(name);
      if (told || !known) co_return told;
    } else if (!known) {
      co_return std::unexpected(lines.error());
    }
  }
  if (!known) co_return fail(Errc::device_not_found, "no such device '" + name + "'");
  co_return "disconnected " + name;
}

}  // namespace clawperator
