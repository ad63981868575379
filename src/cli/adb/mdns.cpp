#include "adbproto/client/discovery.hpp"
#include "cli/adb/context.hpp"
#include "cli/pretty/people.hpp"
#include "runtime/device/discovery/surroundings.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kWindow = std::chrono::milliseconds(1500);
constexpr std::string_view kServices[] = {"_adb._tcp", "_adb-tls-connect._tcp",
                                          "_adb-tls-pairing._tcp"};

std::string line_of(const DiscoveredService& service) {
  const auto kind = kServices[static_cast<std::size_t>(service.service)];
  return printable_name(service.instance) + "\t" + std::string(kind) + "\t" + service.host + ":" +
         std::to_string(service.port) + "\n";
}

// Absent when no server answers or the one that does has no mDNS (Debian's adb 29).
Task<std::optional<std::string>> ask_server(AdbContext* context, std::string verb) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return std::nullopt;
  auto text = co_await server->ask({}, "mdns:" + verb);
  if (text) co_return *std::move(text);
  if (text.error().message().contains("unknown host service")) co_return std::nullopt;
  co_return std::unexpected(text.error());
}

Task<std::string> look_around(const AdbContext* context) {
  const auto surroundings = surroundings_of(context->target);
  CO_TRY(const auto discovery, co_await surroundings->start_discovery());
  co_await sleep_for(kWindow);
  std::string text;
  for (const auto& service : by_instance(discovery->services())) text += line_of(service);
  co_return text;
}

}  // namespace

Task<int> adb_mdns(AdbContext* context, AdbWords arguments) {
  if (arguments.empty()) co_return adb_failed("mdns requires an argument");
  const std::string& verb = arguments[0];
  if (verb != "check" && verb != "services") {
    co_return adb_failed("unknown mdns command [" + verb + "]");
  }
  if (arguments.size() > 1) co_return adb_failed("mdns " + verb + " doesn't take any arguments");
  CO_TRY(const auto told, co_await ask_server(context, verb));
  if (verb == "check") {
    print_out(told.value_or("mdns daemon version [built-in]") + "\n");
    co_return 0;
  }
  std::string services = told.value_or("");
  if (!told) {
    CO_TRY(services, co_await look_around(context));
  }
  print_out("List of discovered mdns services\n" + services + "\n");
  co_return 0;
}

}  // namespace clawperator::cli
