#include "runtime/device/resolver/connect.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "runtime/device/discovery/announced.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

namespace {

// A paired phone is followed under the name it was paired by; another one is not followed.
Task<bool> forget_announced(TargetOptions options, std::string name) {
  const auto surroundings = surroundings_of(options);
  if (!surroundings->known_hosts) co_return false;
  for (const std::string& guid : surroundings->known_hosts()) {
    if (guid.empty() || !is_announced_as(name, guid)) continue;
    CO_TRY_VOID(co_await note_disconnected(guid, options.on_notice));
    co_return true;
  }
  co_return false;
}

bool uses_server(const TargetOptions& options) {
  return options.transport == Transport::automatic || options.transport == Transport::server;
}

// A server connects to everything that speaks its protocol, such as another computer's adb.
Task<void> refuse_host(ServerClient* server, std::string place) {
  const auto lines = co_await server->devices(adbproto::ListFormat::brief);
  if (!lines) co_return ok();
  const bool is_host = std::ranges::any_of(
      *lines, [&](const auto& line) { return line.serial == place && line.state == "host"; });
  if (!is_host) co_return ok();
  [[maybe_unused]] const auto left = co_await server->disconnect(place);
  co_return fail(errc::protocol, place + " is no phone: its type is 'host'");
}

Task<std::string> connect_at_server(Routes* routes, ServerClient server, std::string name) {
  CO_TRY(const auto place, co_await routes->address_of({.serial = name}));
  auto connected = co_await server.connect(place.to_string());
  if (connected) {
    CO_TRY_VOID(co_await refuse_host(&server, place.to_string()));
  }
  if (connected || connected.error().code() != errc::refused) co_return connected;
  ErrorMembers members;
  members.text("hint",
               "an adb server without TLS (adb 29, for example) cannot reach a phone by its "
               "wireless debugging; this connects to it directly: clawperator connect " +
                   name + " --transport tcp");
  co_return std::unexpected(with_members(connected.error(), members));
}

// An announced phone is in the server's list under its name, if the server found it by itself, or
// under the address that the server was given: the phone's current one.
Task<std::string> serial_at_server(Routes* routes, ServerClient server, std::string name) {
  CO_TRY(const auto lines, co_await server.devices(adbproto::ListFormat::brief));
  bool has_addresses = false;
  for (const auto& line : lines) {
    const auto instance = instance_name(line.serial);
    if (instance && is_announced_as(*instance, name)) co_return line.serial;
    has_addresses = has_addresses || line.serial.contains(':');
  }
  if (!has_addresses) co_return fail(errc::device_not_found, "no such device '" + name + "'");
  const auto place = co_await routes->address_of({.serial = name});
  if (place) co_return place->to_string();
  if (place.error().code() != errc::io) co_return std::unexpected(place.error());
  co_return fail(errc::device_not_found,
                 "no such device '" + name + "': " + place.error().message());
}

// io: no server listens.
Task<std::string> disconnect_at_server(Routes* routes, std::string name, OnNotice on_notice) {
  CO_TRY(auto server, routes->server());
  std::string serial = name;
  if (instance_name(name)) {
    CO_TRY(serial, co_await serial_at_server(routes, server, name));
  }
  auto disconnected = co_await server.disconnect(serial);
  // Forgets the phone that was known there; the server has disconnected it in any case.
  if (disconnected) [[maybe_unused]]
    const auto noted = co_await note_disconnected(serial, std::move(on_notice));
  co_return disconnected;
}

// No server listens, or it has no such device: nothing is left to disconnect.
bool is_nothing_there(const Error& error) {
  return error.code() == errc::io || error.code() == errc::device_not_found ||
         (error.code() == errc::refused && error.message().contains("no such device"));
}

Error published(const Routes& routes, const Error& error) {
  const bool is_silent = error.code() == errc::io || error.code() == errc::deadline_exceeded;
  return is_silent ? routes.server_failure(error) : error;
}

}  // namespace

Task<std::string> connect_target(TargetOptions options, std::string address) {
  CO_TRY(const std::string name, target_name(address));
  Routes routes(options);
  if (uses_server(options)) {
    auto server = co_await routes.answering_server();
    if (server) co_return co_await connect_at_server(&routes, *std::move(server), name);
    if (server.error().code() == errc::invalid_argument || options.transport == Transport::server) {
      co_return std::unexpected(server.error());
    }
  }
  CO_TRY(const auto device, co_await routes.dial(name, offer_of(options)));
  CO_TRY_VOID(co_await routes.meet(device.get()));
  CO_TRY_VOID(co_await add_target(name, options.on_notice));
  co_return "connected to " + name;
}

Task<std::string> disconnect_target(TargetOptions options, std::string address) {
  CO_TRY(const std::string name, target_name(address));
  CO_TRY(const bool was_target, co_await remove_target(name, options.on_notice));
  CO_TRY(const bool was_followed, co_await forget_announced(options, name));
  const bool known = was_target || was_followed;
  if (uses_server(options)) {
    Routes routes(options);
    auto disconnected = co_await disconnect_at_server(&routes, name, options.on_notice);
    if (disconnected) co_return disconnected;
    const bool only_the_server = options.transport == Transport::server;
    const bool silent = disconnected.error().code() == errc::io;
    if (!is_nothing_there(disconnected.error()) || (silent && only_the_server && !known)) {
      co_return std::unexpected(published(routes, disconnected.error()));
    }
  }
  if (!known) co_return fail(errc::device_not_found, "no such target: " + name);
  co_return "disconnected " + name;
}

}  // namespace clawperator
