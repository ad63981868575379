// Phones on the network: connect, disconnect, pair and mdns; and keygen for the key they trust.

#include <unistd.h>

#include "adbproto/client/discovery.hpp"
#include "adbproto/client/key_store.hpp"
#include "adbproto/client/pairing.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/bytes.hpp"
#include "base/system/environment.hpp"
#include "cli/adb/context.hpp"
#include "cli/descriptor.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "runtime/device/resolver/connect.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kConfirmLimit = std::chrono::seconds(10);  // as adb's server waits

Task<std::string> connect_directly(TargetOptions target, std::string address) {
  target.authorization_limit = kConfirmLimit;
  const auto connected = co_await connect_target(std::move(target), address);
  if (connected) co_return *connected;
  const Error& why = connected.error();
  if (why.code() == errc::cancelled) co_return std::unexpected(why);
  if (why.code() == errc::device_unauthorized) co_return "failed to authenticate to " + address;
  co_return "failed to connect to '" + address + "': " + connect_reason(why);
}

Task<std::string> disconnect_without_server(TargetOptions target, std::string address) {
  target.transport = Transport::tcp;  // no server takes part
  if (!address.empty()) {
    auto sentence = co_await disconnect_target(std::move(target), address);
    if (sentence || sentence.error().code() != errc::device_not_found) co_return sentence;
    co_return fail(errc::device_not_found, "no such device '" + address + "'");
  }
  CO_TRY(const auto known, read_targets());
  for (const std::string& name : known.addresses) {
    CO_TRY_VOID(co_await remove_target(name, target.on_notice));
  }
  co_return "disconnected everything";
}

// Disconnects the device from the server and from our own targets.
Task<std::string> disconnect(AdbContext* context, std::string address) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return co_await disconnect_without_server(context->target, std::move(address));
  auto sentence = co_await server->query({}, "disconnect:" + address);
  if (is_only_server(*context)) co_return sentence;
  auto own = co_await disconnect_without_server(context->target, std::move(address));
  co_return sentence || !own ? std::move(sentence) : std::move(own);
}

// TCP sends its first packet again after 1, 3 and 7 s; each of these may still succeed.
constexpr auto kLimit = std::chrono::seconds(15);
constexpr std::size_t kMaxCode = 256;  // a code has six digits; this bounds a line without an end

// Reads one line of stdin after adb's prompt.
Task<std::string> prompt_for_code() {
  print_out("Enter pairing code: ");
  Descriptor input(co_await asio::this_coro::executor, STDIN_FILENO, Descriptor::Direction::in);
  std::string code;
  std::byte letter{};
  while (code.size() < kMaxCode) {
    const auto size = co_await input.read_some(std::span(&letter, 1));
    if (!size && size.error().code() == errc::cancelled) co_return std::unexpected(size.error());
    if (!size || letter == std::byte{'\n'}) break;
    code += static_cast<char>(letter);
  }
  if (code.ends_with('\r')) code.pop_back();
  co_return code;
}

Task<std::string> pair_natively(const AdbContext* context, std::string address, std::string code) {
  CO_TRY(auto parsed, parse_device_address(address));
  CO_TRY(auto keys, surroundings_of(context->target)->load_keys());
  const std::string name = parsed.to_string();
  CO_TRY(const auto paired,
         co_await pair_device(std::move(parsed), std::move(code), std::move(keys), kLimit));
  // The phone already trusts our key; adb uses the list only to reconnect by itself.
  const auto kept = co_await add_known_host(environment_variable, paired.guid);
  if (!kept) print_err("adb: warning: " + kept.error().message() + "\n");
  if (kept && !kept->empty()) {
    print_err("adb: warning: the list of paired phones was damaged; it is ~/.android/" + *kept +
              " now\n");
  }
  co_return "Successfully paired to " + name + " [guid=" + printable_name(paired.guid) + "]";
}

// We pair directly: a server may be too old for it, and it shares our key files anyway. Only with
// -H, -P or -L the server pairs, because it may be on another machine, with other keys.
Task<std::string> pair(AdbContext* context, std::string address, std::string code) {
  if (!server_is_given(*context)) co_return co_await pair_natively(context, address, code);
  CO_TRY(auto server, co_await find_adb_server(context));
  co_return co_await server->pair(std::move(code), std::move(address));
}

// The key's owner in adb's form: user@host.
std::string key_comment() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return environment_variable("LOGNAME").value_or("unknown") + "@" +
         (host[0] == '\0' ? "unknown" : host.data());
}

// This covers the second query, after 1 s; RFC 6762 (6) delays answers by 20 to 120 ms.
constexpr auto kWindow = std::chrono::milliseconds(1500);

std::string line_of(const DiscoveredService& service) {
  return printable_name(service.instance) + "\t" + std::string(service_type(service.service)) +
         "\t" + service.host + ":" + std::to_string(service.port) + "\n";
}

// Absent when no server answers, or when it has no mDNS (Debian's adb 29).
Task<std::optional<std::string>> query_server(AdbContext* context, std::string verb) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return std::nullopt;
  auto text = co_await server->query({}, "mdns:" + verb);
  if (text) co_return *std::move(text);
  if (text.error().message().contains("unknown host service")) co_return std::nullopt;
  co_return std::unexpected(text.error());
}

Task<std::string> discover_services(const AdbContext* context) {
  const auto surroundings = surroundings_of(context->target);
  CO_TRY(const auto discovery, co_await surroundings->start_discovery());
  co_await sleep_for(kWindow);
  std::string text;
  for (const auto& service : by_instance(discovery->services())) text += line_of(service);
  co_return text;
}

}  // namespace

// adb exits 0 in every case; scripts read the sentence.
Task<int> adb_connect(AdbContext* context, AdbWords arguments) {
  if (arguments.size() != 1) co_return adb_failed("usage: adb connect HOST[:PORT]");
  auto server = co_await find_adb_server(context);
  if (!server) co_return query_failed(server.error());
  auto asked = *server ? (*server)->query({}, "connect:" + arguments[0])
                       : connect_directly(context->target, arguments[0]);
  co_return print_line(co_await std::move(asked));
}

Task<int> adb_disconnect(AdbContext* context, AdbWords arguments) {
  if (arguments.size() > 1) co_return adb_failed("usage: adb disconnect [HOST[:PORT]]");
  co_return print_line(co_await disconnect(context, arguments.empty() ? "" : arguments[0]));
}

Task<int> adb_pair(AdbContext* context, AdbWords arguments) {
  if (arguments.empty() || arguments.size() > 2) {
    co_return adb_failed("usage: adb pair HOST[:PORT] [PAIRING CODE]");
  }
  std::string code;
  if (arguments.size() == 2) {
    code = arguments[1];
  } else {
    CO_TRY(code, co_await prompt_for_code());
    if (code.empty()) co_return adb_failed("No pairing code provided");
  }
  const auto sentence = co_await pair(context, arguments[0], std::move(code));
  if (!sentence && sentence.error().code() == errc::auth_pairing_failed) {
    co_return query_failed({errc::refused, "Failed: Wrong password or connection was dropped."});
  }
  co_return print_line(sentence);
}

Task<int> adb_keygen(AdbContext*, AdbWords arguments) {
  if (arguments.size() != 1) co_return adb_failed("keygen requires an argument");
  CO_TRY_VOID(write_new_key(arguments[0], key_comment()));
  co_return 0;
}

Task<int> adb_mdns(AdbContext* context, AdbWords arguments) {
  if (arguments.empty()) co_return adb_failed("mdns requires an argument");
  const std::string& verb = arguments[0];
  if (verb != "check" && verb != "services") {
    co_return adb_failed("unknown mdns command [" + verb + "]");
  }
  if (arguments.size() > 1) co_return adb_failed("mdns " + verb + " doesn't take any arguments");
  CO_TRY(const auto answer, co_await query_server(context, verb));
  if (verb == "check") {
    print_out(answer.value_or("mdns daemon version [built-in]") + "\n");
    co_return 0;
  }
  std::string services = answer.value_or("");
  if (!answer) {
    CO_TRY(services, co_await discover_services(context));
  }
  print_out("List of discovered mdns services\n" + services + "\n");
  co_return 0;
}

}  // namespace clawperator::cli
