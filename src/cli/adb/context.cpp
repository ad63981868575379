#include "cli/adb/context.hpp"

#include <algorithm>
#include <set>

#include "cli/output.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/choice.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/device/start_server.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator::cli {
namespace {

using DevicePtr = std::unique_ptr<Device>;

std::string unauthorized_text() {
  return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is " +
         environment_variable("ADB_VENDOR_KEYS").value_or("not set") +
         "\nTry 'adb kill-server' if that seems wrong.\n"
         "Otherwise check for a confirmation dialog on your device.";
}

// Did it just turn out that no server answers?
enum class ServerKnown { no, absent };

// Properties as the server compares them: "Pixel 6" is model:Pixel_6.
bool is_property(std::string_view wanted, std::string_view kind, std::string value) {
  if (!wanted.starts_with(kind)) return false;
  std::ranges::replace_if(value, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return wanted.substr(kind.size()) == value;
}

bool is_network_serial(std::string_view serial) {
  return serial.contains(':') || serial.starts_with("emulator-") || serial.starts_with("adb-") ||
         serial.contains("._adb");
}

bool may_use_server(const AdbContext& context) {
  const Transport transport = context.target.transport;
  return transport == Transport::automatic || transport == Transport::server;
}

// A server that was named, or that answers, is not gone around: what it does not list is not there,
// as for adb. `--transport tcp` or `usb` before `adb` asks no server.
bool is_the_last_word(const AdbContext& context, const Error& error) {
  return is_only_server(context) || !is_nobody(error);
}

// The server answers no question about a device in these states.
Result<void> check_state(const AdbContext& context, State state) {
  if (state == State::unauthorized) {
    return std::unexpected(in_adb_words(context, {errc::device_unauthorized, ""}));
  }
  if (state == State::offline) return fail(errc::device_offline, "device offline");
  return {};
}

// No source has the device: it says so, or there is no server to say it.
bool is_none(const Error& error) {
  return error.code() == errc::no_devices || error.code() == errc::device_not_found ||
         error.code() == errc::adb_server_failed;
}

// What was connected to once resolve_device() dials of its own accord.
bool was_dialled(const TargetOptions& target) {
  if (!target.device || target.transport_id || target.reachable == Reachable::usb) return false;
  const auto kept = read_targets().value_or(TargetList{}).addresses;
  return std::ranges::find(kept, *target.device) != kept.end();
}

Task<DevicePtr> open_without_server(const AdbContext* context, ServerKnown server) {
  TargetOptions target = context->target;
  target.server_is_absent = server == ServerKnown::absent && !target.start_server;
  target.readiness = Readiness::any;
  auto device = co_await resolve_device(target);
  if (!device && is_none(device.error()) && target.transport == Transport::automatic) {
    if (was_dialled(target)) co_return fail(errc::device_offline, "device offline");
    if (target.device && is_address(*target.device)) {
      target.transport = Transport::tcp;
      device = co_await resolve_device(std::move(target));
    }
  }
  if (!device) co_return std::unexpected(in_adb_words(*context, device.error()));
  co_return device;
}

}  // namespace

bool server_is_given(const AdbContext& context) { return context.target.adb_server.has_value(); }

bool is_only_server(const AdbContext& context) {
  return server_is_given(context) || context.target.transport == Transport::server;
}

bool is_address(const std::string& serial) {
  const auto address = adbproto::parse_device_address(serial);
  return address && address->to_string() == serial;
}

Result<ServerClient> server_of(const AdbContext& context) {
  TRY(auto address,
      adbproto::choose_server_address(context.target.adb_server, environment_variable));
  return ServerClient(std::move(address));
}

std::string connect_reason(const Error& error) {
  const int reason = error.system_error();
  return reason == 0 ? error.message() : std::generic_category().message(reason);
}

bool is_nobody(const Error& error) {
  return error.code() == errc::io || error.code() == errc::adb_server_failed;
}

DeviceChoice choice_of(const AdbContext& context) {
  constexpr adbproto::WaitTransport kReach[] = {
      adbproto::WaitTransport::any, adbproto::WaitTransport::usb, adbproto::WaitTransport::local};
  const TargetOptions& target = context.target;
  return {.transport_id = target.transport_id,
          .serial = target.device.value_or(""),
          .reach = kReach[static_cast<std::size_t>(target.reachable)]};
}

bool is_chosen(const AdbContext& context, const DeviceRow& row) {
  const TargetOptions& target = context.target;
  if (row.state == State::no_permissions) return false;
  if (target.transport_id) return row.transport_id == target.transport_id;
  if (target.device) {
    const std::string& wanted = *target.device;
    return wanted == row.serial || wanted + ":5555" == row.serial ||
           (!row.bus_address.empty() && wanted == row.bus_address) ||
           is_property(wanted, "product:", row.product) ||
           is_property(wanted, "model:", row.model) || is_property(wanted, "device:", row.device);
  }
  if (target.reachable == Reachable::any) return true;
  return is_network_serial(row.serial) == (target.reachable == Reachable::local);
}

Error none_chosen(const AdbContext& context) {
  const TargetOptions& target = context.target;
  if (target.transport_id) {
    return {errc::device_not_found,
            "no device with transport id '" + std::to_string(*target.transport_id) + "'"};
  }
  if (target.device) return {errc::device_not_found, "device '" + *target.device + "' not found"};
  if (target.reachable == Reachable::usb) return {errc::no_devices, "no devices found"};
  if (target.reachable == Reachable::local) return {errc::no_devices, "no emulators found"};
  return {errc::no_devices, "no devices/emulators found"};
}

Error several_chosen(const AdbContext& context) {
  constexpr std::string_view kKinds[] = {"device/emulator", "device", "emulator"};
  const auto kind = kKinds[static_cast<std::size_t>(context.target.reachable)];
  return {errc::multiple_devices_device_id_required, "more than one " + std::string(kind)};
}

Error in_adb_words(const AdbContext& context, const Error& error) {
  switch (error.code()) {
    case errc::multiple_devices_device_id_required: return several_chosen(context);
    case errc::device_unauthorized: return {error.code(), unauthorized_text()};
    case errc::device_offline: return {error.code(), "device offline"};
    case errc::no_devices:
    case errc::device_not_found:
    case errc::adb_server_failed: return none_chosen(context);
    default: return error;
  }
}

Task<std::optional<ServerClient>> find_adb_server(AdbContext* context) {
  if (!may_use_server(*context)) co_return std::optional<ServerClient>{};
  CO_TRY(auto client, server_of(*context));
  auto version = co_await client.version();
  if (!version && is_nobody(version.error()) && context->target.start_server) {
    CO_TRY_VOID(co_await start_adb_server(client.address()));
    version = co_await client.version();
  }
  if (version) co_return client;
  if (is_nobody(version.error()) && !server_is_given(*context)) {
    co_return std::optional<ServerClient>{};
  }
  co_return fail(version.error().code(), "cannot connect to daemon at " +
                                             client.address().to_string() + ": " +
                                             connect_reason(version.error()));
}

// No version is asked for first: every request more is time that a script waits for.
Task<DevicePtr> open_adb_device(AdbContext* context) {
  if (!may_use_server(*context)) co_return co_await open_without_server(context, ServerKnown::no);
  CO_TRY(auto client, server_of(*context));
  auto device = co_await client.device(choice_of(*context));
  if (device) co_return device;
  const Error error = device.error();
  if (is_the_last_word(*context, error)) co_return std::unexpected(error);
  co_return co_await open_without_server(context, ServerKnown::absent);
}

Task<std::string> ask_about_device(AdbContext* context, Query query) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (server) co_return co_await server->ask(choice_of(*context), std::string(query.verb));
  CO_TRY(const auto row, co_await choose_row(context));
  co_return query.of_row(row);
}

// The same device may be kept as a target and be connected to the server, too.
Task<std::vector<DeviceRow>> own_rows(const AdbContext* context, Detail detail) {
  if (is_only_server(*context)) co_return std::vector<DeviceRow>{};
  auto rows = co_await list_devices(context->target, detail);
  if (!rows && rows.error().code() == errc::adb_server_failed) co_return std::vector<DeviceRow>{};
  if (!rows) co_return rows;
  std::set<std::string> held;  // serials
  for (const DeviceRow& row : *rows) {
    if (row.transport == Transport::server) held.insert(row.serial);
  }
  std::erase_if(*rows, [&](const DeviceRow& row) { return held.contains(row.serial); });
  co_return rows;
}

Task<std::vector<DeviceRow>> server_rows(ServerClient* server) {
  CO_TRY(const auto lines, co_await server->devices(adbproto::ListFormat::detailed));
  std::vector<DeviceRow> rows;
  for (const DeviceLine& line : lines) rows.push_back(server_row(line));
  co_return rows;
}

Task<DeviceRow> choose_row(const AdbContext* context) {
  CO_TRY(auto rows, co_await own_rows(context, Detail::states));
  std::erase_if(rows, [&](const DeviceRow& row) { return !is_chosen(*context, row); });
  if (rows.size() > 1) co_return std::unexpected(several_chosen(*context));
  if (!rows.empty()) {
    CO_TRY_VOID(check_state(*context, rows.front().state));
    co_return std::move(rows.front());
  }
  AdbContext asking = *context;
  asking.target.authorization_limit = {};  // nobody is asked to confirm a key for a question
  CO_TRY(const auto device, co_await open_without_server(&asking, ServerKnown::no));
  co_return DeviceRow{.serial = device->serial(), .state = state_of(*device)};
}

int query_failed(const Error& error) {
  if (error.code() == errc::cancelled) return 1;  // the user knows
  print_err("error: " + error.message() + "\n");
  return 1;
}

int adb_failed(std::string_view words) {
  print_err("adb: " + text_for(Stream::err, words) + "\n");
  return 1;
}

int transfer_failed(const Error& error) {
  if (error.code() == errc::cancelled) return 1;
  print_out("adb: error: failed to get feature set: " + text_for(Stream::out, error.message()) +
            "\n");
  return 1;
}

int not_offered(std::string_view what, std::string_view why) {
  return adb_failed(std::string(what) + " is not offered: " + std::string(why));
}

}  // namespace clawperator::cli
