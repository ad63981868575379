#include "runtime/device/connect.hpp"
#include "adbproto/wire/errc.hpp"
#include "cli/adb/context.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kConfirmLimit = std::chrono::seconds(10);  // as adb's server waits

Task<std::string> connect_directly(TargetOptions target, std::string address) {
  target.authorization_limit = kConfirmLimit;
  const auto connected = co_await connect_target(std::move(target), address);
  if (connected) co_return *connected;
  switch (connected.error().code()) {
    case errc::cancelled: co_return std::unexpected(connected.error());
    case errc::device_unauthorized: co_return "failed to authenticate to " + address;
    default:
      co_return "failed to connect to '" + address + "': " + connect_reason(connected.error());
  }
}

Task<std::string> disconnect_without_server(TargetOptions target, std::string address) {
  target.transport = Transport::tcp;  // no server is asked
  if (!address.empty()) {
    auto sentence = co_await disconnect_target(std::move(target), address);
    if (sentence || sentence.error().code() != errc::device_not_found) co_return sentence;
    co_return fail(errc::device_not_found, "no such device '" + address + "'");
  }
  CO_TRY(const auto known, read_targets());
  for (const std::string& name : known.addresses) CO_TRY_VOID(co_await remove_target(name));
  co_return "disconnected everything";
}

// From the server, and from us.
Task<std::string> disconnect(AdbContext* context, std::string address) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return co_await disconnect_without_server(context->target, std::move(address));
  auto sentence = co_await server->ask({}, "disconnect:" + address);
  if (is_only_server(*context)) co_return sentence;
  auto own = co_await disconnect_without_server(context->target, std::move(address));
  co_return sentence || !own ? std::move(sentence) : std::move(own);
}

}  // namespace

// adb exits 0 whatever became of it: scripts read the sentence.
Task<int> adb_connect(AdbContext* context, AdbWords arguments) {
  if (arguments.size() != 1) co_return adb_failed("usage: adb connect HOST[:PORT]");
  auto server = co_await find_adb_server(context);
  if (!server) co_return query_failed(server.error());
  auto asked = *server ? (*server)->ask({}, "connect:" + arguments[0])
                       : connect_directly(context->target, arguments[0]);
  co_return print_answer(co_await std::move(asked));
}

Task<int> adb_disconnect(AdbContext* context, AdbWords arguments) {
  if (arguments.size() > 1) co_return adb_failed("usage: adb disconnect [HOST[:PORT]]");
  co_return print_answer(co_await disconnect(context, arguments.empty() ? "" : arguments[0]));
}

}  // namespace clawperator::cli
