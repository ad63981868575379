#include "runtime/device/announced.hpp"
#include "runtime/device/routes.hpp"
#include "runtime/device/target.hpp"
#include "runtime/device/target_file.hpp"

// The part of target.hpp that changes what is known.
namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::Result;
using adbproto::Task;

namespace {

// A paired phone is followed under the name it was paired by; another one is not followed.
Result<bool> forget_announced(const TargetOptions& options, const std::string& name) {
  const auto surroundings = surroundings_of(options);
  if (!surroundings->known_hosts) return false;
  for (const std::string& guid : surroundings->known_hosts()) {
    if (guid.empty() || !name.starts_with(guid)) continue;
    TRY_VOID(note_disconnected(guid));
    return true;
  }
  return false;
}

bool asks_server(const TargetOptions& options) {
  return options.transport == Transport::automatic || options.transport == Transport::server;
}

}  // namespace

Task<std::string> connect_target(TargetOptions options, std::string address) {
  CO_TRY(const std::string name, target_name(address));
  Routes routes(options);
  if (asks_server(options)) {
    auto server = co_await routes.answering_server();
    if (server) {
      CO_TRY(const auto place, co_await routes.address_of({.serial = name}));
      co_return co_await server->connect(place.to_string());
    }
    if (server.error().code() == Errc::invalid_argument || options.transport == Transport::server) {
      co_return std::unexpected(server.error());
    }
  }
  CO_TRY(const auto device, co_await routes.dial(name, offer_of(options)));
  CO_TRY_VOID(add_target(name));
  co_return "connected to " + name;
}

Task<std::string> disconnect_target(TargetOptions options, std::string address) {
  CO_TRY(const std::string name, target_name(address));
  CO_TRY(const bool was_target, remove_target(name));
  CO_TRY(const bool was_followed, forget_announced(options, name));
  const bool known = was_target || was_followed;
  // The server knows an announced phone by its full name.
  const std::string told_name = instance_name(address) ? address : name;
  if (asks_server(options)) {
    Routes routes(options);
    auto server = co_await routes.answering_server();
    if (server) {
      auto told = co_await server->disconnect(told_name);
      if (told || !known) co_return told;
    } else if (!known) {
      co_return std::unexpected(server.error());
    }
  }
  if (!known) co_return fail(Errc::device_not_found, "no such device '" + told_name + "'");
  co_return "disconnected " + told_name;
}

}  // namespace clawperator
