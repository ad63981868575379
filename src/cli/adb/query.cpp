// One question, one line of answer: get-state and its kind, features.

#include <algorithm>

#include "adbproto/client/direct_client.hpp"
#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;

Task<int> answer(AdbContext* context, Query query) {
  const auto text = co_await ask_about_device(context, query);
  if (!text) co_return query_failed(text.error());
  print_out(*text + "\n");
  co_return 0;
}

std::string shared_lines(std::string_view comma_list, const FeatureSet& host) {
  std::string lines;
  while (!comma_list.empty()) {
    const std::size_t end = std::min(comma_list.find(','), comma_list.size());
    const auto name = comma_list.substr(0, end);
    if (host.has(name)) lines += std::string(name) + "\n";
    comma_list.remove_prefix(std::min(end + 1, comma_list.size()));
  }
  return lines;
}

// What both can do, as adb lists it.
Task<int> run_features(AdbContext* context, Words) {
  CO_TRY(auto server, co_await find_adb_server(context));
  CO_TRY(const auto device, co_await open_adb_device(context));
  std::string list = device->features().to_string();
  FeatureSet host = adbproto::host_banner(adbproto::DelayedAck::announced).features;
  if (server && device->route() == "server") {
    CO_TRY(list, co_await server->ask(choice_of(*context), "features"));
    CO_TRY(host, co_await server->host_features());
  }
  print_out(shared_lines(list, host));
  co_return 0;
}

// Without a server we are the host.
Task<int> run_host_features(AdbContext* context, Words) {
  auto server = co_await find_adb_server(context);
  if (!server) co_return query_failed(server.error());
  std::string list = adbproto::host_banner(adbproto::DelayedAck::announced).features.to_string();
  if (*server) {
    auto reply = co_await (*server)->ask({}, "host-features");
    if (!reply) co_return query_failed(reply.error());
    list = *std::move(reply);
  }
  print_out(list + "\n");
  co_return 0;
}

}  // namespace

constinit const AdbCommand kAdbGetState = {
    "get-state", " get-state", "print device, offline, unauthorized, ...",
    [](AdbContext* context, Words) {
      return answer(context, {"get-state", [](const DeviceRow& row) { return row.state.text(); }});
    }};
constinit const AdbCommand kAdbGetSerialno = {
    "get-serialno", " get-serialno", "print the serial", [](AdbContext* context, Words) {
      return answer(context, {"get-serialno", [](const DeviceRow& row) { return row.serial; }});
    }};
constinit const AdbCommand kAdbGetDevpath = {
    "get-devpath", " get-devpath", "print the place on the bus", [](AdbContext* context, Words) {
      return answer(context, {"get-devpath", [](const DeviceRow& row) {
                                return row.bus_address.empty() ? "unknown" : row.bus_address;
                              }});
    }};
constinit const AdbCommand kAdbFeatures = {"features", " features",
                                           "list the features of the device", run_features};
constinit const AdbCommand kAdbHostFeatures = {"host-features", " host-features",
                                               "list the features of the adb server, or ours",
                                               run_host_features};

}  // namespace clawperator::cli
