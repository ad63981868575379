#include <unistd.h>

#include <array>

#include "adbproto/client/key_store.hpp"
#include "adbproto/client/pairing.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/bytes.hpp"
#include "cli/adb/context.hpp"
#include "cli/descriptor.hpp"
#include "cli/pretty/people.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kLimit = std::chrono::seconds(15);
constexpr std::size_t kMaxCode = 256;

// One line of stdin, asked for as adb does.
Task<std::string> ask_for_code() {
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
  // The phone trusts us already; the list is only for adb to reconnect by itself.
  const auto kept = co_await add_known_host(environment_variable, paired.guid);
  if (!kept) print_err("adb: warning: " + kept.error().message() + "\n");
  co_return "Successfully paired to " + name + " [guid=" + printable_name(paired.guid) + "]";
}

// By ourselves, since a server may be too old for it and shares our key files anyway; by a server
// only when -H, -P or -L names one: it may be on another machine, with other keys.
Task<std::string> pair(AdbContext* context, std::string address, std::string code) {
  if (!server_is_given(*context)) co_return co_await pair_natively(context, address, code);
  CO_TRY(auto server, co_await find_adb_server(context));
  co_return co_await server->pair(std::move(code), std::move(address));
}

// Whose key it is, as adb words it: user@host.
std::string key_comment() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return environment_variable("LOGNAME").value_or("unknown") + "@" +
         (host[0] == '\0' ? "unknown" : host.data());
}

}  // namespace

Task<int> adb_pair(AdbContext* context, AdbWords arguments) {
  if (arguments.empty() || arguments.size() > 2) {
    co_return adb_failed("usage: adb pair HOST[:PORT] [PAIRING CODE]");
  }
  std::string code;
  if (arguments.size() == 2) {
    code = arguments[1];
  } else {
    CO_TRY(code, co_await ask_for_code());
    if (code.empty()) co_return adb_failed("No pairing code provided");
  }
  const auto sentence = co_await pair(context, arguments[0], std::move(code));
  if (!sentence && sentence.error().code() == errc::auth_pairing_failed) {
    co_return query_failed({errc::refused, "Failed: Wrong password or connection was dropped."});
  }
  co_return print_answer(sentence);
}

Task<int> adb_keygen(AdbContext*, AdbWords arguments) {
  if (arguments.size() != 1) co_return adb_failed("keygen requires an argument");
  CO_TRY_VOID(write_new_key(arguments[0], key_comment()));
  co_return 0;
}

}  // namespace clawperator::cli
