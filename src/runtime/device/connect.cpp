#include "runtime/device/announced.hpp"
#include "runtime/device/routes.hpp"
#include "runtime/device/target.hpp"
#include "runtime/device/target_file.hpp"

// The part of target.hpp that changes what is known.
namespace clawperator {

using adbproto::AdbService;
using adbproto::DiscoveredService;
using adbproto::Errc;
using adbproto::fail;
using adbproto::Task;

namespace {

constexpr auto kDiscoveryWindow = std::chrono::milliseconds(3000);

// "adb-SERIAL-abcdef", with or without the service's type behind it.
std::optional<std::string> instance_name(const std::string& text) {
  std::string name = text.substr(0, text.find("._adb"));
  if (name.size() != text.size()) return name;
  const bool announced = text.starts_with("adb-") && text.find(':') == std::string::npos;
  return announced ? std::optional(name) : std::nullopt;
}

bool is_instance(const DiscoveredService& service, const std::string& name) {
  return service.service != AdbService::tls_pairing && service.instance.starts_with(name);
}

Task<DiscoveredService> find_announced(std::shared_ptr<const Surroundings> surroundings,
                                       std::string name) {
  CO_TRY(const auto discovery, co_await start_discovery(surroundings.get()));
  for (;;) {
    for (const DiscoveredService& service : discovery->services()) {
      if (is_instance(service, name)) co_return service;
    }
    CO_TRY_VOID(co_await discovery->wait_change());
  }
}

// An address as it is, a name as whoever announces it answers.
Task<std::string> address_of(const TargetOptions* options, std::string text) {
  const auto name = instance_name(text);
  if (!name) {
    CO_TRY(const auto parsed, adbproto::parse_device_address(text));
    co_return parsed.to_string();
  }
  auto found = co_await adbproto::with_deadline(find_announced(surroundings_of(*options), *name),
                                                kDiscoveryWindow, "looking for " + *name);
  if (found) co_return address_text(*found);
  if (found.error().code() != Errc::deadline_exceeded) co_return std::unexpected(found.error());
  co_return fail(Errc::device_not_found, "nobody announces '" + *name + "' in this network");
}

bool asks_server(const TargetOptions& options) {
  return options.transport == Transport::automatic || options.transport == Transport::server;
}

}  // namespace

Task<std::string> connect_target(TargetOptions options, std::string address) {
  CO_TRY(const std::string name, co_await address_of(&options, std::move(address)));
  Routes routes(options);
  if (asks_server(options)) {
    auto server = co_await routes.answering_server();
    if (server) co_return co_await server->connect(name);
    if (server.error().code() == Errc::invalid_argument || options.transport == Transport::server) {
      co_return std::unexpected(server.error());
    }
  }
  CO_TRY(const auto device, co_await routes.dial(name, KeyOffer::once));
  CO_TRY_VOID(add_target(name));
  co_return "connected to " + name;
}

Task<std::string> disconnect_target(TargetOptions options, std::string address) {
  CO_TRY(const auto parsed, adbproto::parse_device_address(address));
  const std::string name = parsed.to_string();
  CO_TRY(const bool known, remove_target(name));
  if (asks_server(options)) {
    Routes routes(options);
    auto server = co_await routes.answering_server();
    if (server) {
      auto told = co_await server->disconnect(name);
      if (told || !known) co_return told;
    } else if (!known) {
      co_return std::unexpected(server.error());
    }
  }
  if (!known) co_return fail(Errc::device_not_found, "no such device '" + name + "'");
  co_return "disconnected " + name;
}

}  // namespace clawperator
