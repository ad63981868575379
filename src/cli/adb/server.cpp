// Subcommands for the adb server itself, and those that only a server can run.

#include "base/system/environment.hpp"
#include "cli/adb/context.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/start_server.hpp"

namespace clawperator::cli {
namespace {

// adb_not_found when the only adb in PATH is this program.
Task<void> start_another_adb(ServerClient client) {
  CO_TRY_VOID(co_await start_adb_server(client.address()));
  if (co_await client.version()) co_return ok();
  co_return fail(errc::adb_not_found, "the adb in PATH is this program");
}

// The device drops the link without an answer.
Task<void> request_drop(AdbContext* context) {
  CO_TRY(const auto device, co_await open_adb_device(context));
  const auto stream = co_await device->open("reconnect");
  std::vector<std::byte> chunk(64);
  while (stream && co_await with_deadline((*stream)->read_some(chunk), std::chrono::seconds(5),
                                          "its farewell")) {
  }
  co_return ok();
}

// The device drops the connection. adb ignores a failure and prints nothing.
Task<int> reconnect_from_device(AdbContext* context) {
  const auto requested = co_await request_drop(context);
  if (!requested && requested.error().code() == errc::cancelled)
    co_return std::unexpected(requested.error());
  if (!requested) query_failed(requested.error());
  co_return 0;
}

}  // namespace

// Scripts that begin with start-server need a server only if an option names one.
Task<int> adb_start_server(AdbContext* context, AdbWords) {
  CO_TRY(auto client, server_of(*context));
  if (co_await client.version() || environment_variable(kStartsAdbServer)) co_return 0;
  print_err("* daemon not running; starting now at " + client.address().to_string() + "\n");
  const auto started = co_await start_another_adb(client);
  if (started) {
    print_err("* daemon started successfully\n");
    co_return 0;
  }
  if (started.error().code() == errc::adb_not_found && !is_only_server(*context)) {
    print_err("* no adb server to start, devices are reached without one: " +
              started.error().message() + "\n");
    co_return 0;
  }
  print_err("* failed to start daemon\n");
  co_return query_failed(started.error());
}

Task<int> adb_kill_server(AdbContext* context, AdbWords) {
  CO_TRY(auto client, server_of(*context));
  const auto killed = co_await client.kill();
  if (killed || killed.error().code() == errc::closed) co_return 0;
  if (is_server_absent(killed.error())) {
    print_err("cannot connect to daemon at " + client.address().to_string() + ": " +
              connect_reason(killed.error()) + "\n");
    co_return 0;
  }
  co_return query_failed(killed.error());
}

Task<int> adb_attach(AdbContext* context, AdbWords) {
  const std::string& verb = context->name;  // attach or detach
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return not_offered(verb, "no adb server answers");
  const auto text = co_await server->query(choice_of(*context), verb);
  if (!text) co_return adb_failed("failed to " + verb + ": " + text.error().message());
  co_return print_line(text);
}

Task<int> adb_reconnect(AdbContext* context, AdbWords arguments) {
  const std::string which = arguments.empty() ? "" : arguments[0];
  const bool known = which.empty() || which == "device" || which == "offline";
  if (arguments.size() > 1 || !known) {
    co_return adb_failed("usage: adb reconnect [device|offline]");
  }
  if (which == "device") co_return co_await reconnect_from_device(context);
  auto server = co_await find_adb_server(context);
  if (!server) co_return query_failed(server.error());
  if (!*server) {
    co_return not_offered("reconnect", "without an adb server no connection outlives its command");
  }
  const bool all = !which.empty();
  const auto text = co_await (*server)->query(all ? DeviceChoice{} : choice_of(*context),
                                              all ? "reconnect-offline" : "reconnect");
  co_return print_line(text);
}

}  // namespace clawperator::cli
