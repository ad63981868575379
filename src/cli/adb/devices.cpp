// The list of devices, and single facts about one: get-state and its kind, features.

#include <ranges>

#include "adbproto/client/direct_client.hpp"
#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kSerialColumn = 22;

std::string short_line(const DeviceRow& row) { return row.serial + "\t" + row.state.text() + "\n"; }

std::string long_line(const DeviceRow& row) {
  std::string text = row.serial;
  if (text.size() < kSerialColumn) text.resize(kSerialColumn, ' ');
  text += " " + row.state.text();
  if (!row.bus_address.empty()) text += " " + row.bus_address;
  if (!row.product.empty()) text += " product:" + row.product;
  if (!row.model.empty()) text += " model:" + one_word(row.model);
  if (!row.device.empty()) text += " device:" + row.device;
  if (row.transport_id) text += " transport_id:" + std::to_string(*row.transport_id);
  return text + "\n";
}

std::string own_answer(std::string_view question, const DeviceRow& row) {
  if (question == "get-state") return row.state.text();
  if (question == "get-serialno") return row.serial;
  return row.bus_address.empty() ? "unknown" : row.bus_address;
}

Task<std::string> query_device(AdbContext* context) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (server) co_return co_await server->query(choice_of(*context), context->name);
  CO_TRY(const auto row, co_await choose_row(context));
  co_return own_answer(context->name, row);
}

Task<std::string> features_of_host(AdbContext* context) {
  CO_TRY(auto server, co_await find_adb_server(context));
  if (server) co_return co_await server->query({}, "host-features");
  co_return host_banner(DelayedAck::announced).features.to_string();
}

}  // namespace

Task<int> adb_devices(AdbContext* context, AdbWords arguments) {
  const bool detailed = arguments == AdbWords{"-l"};
  if (!detailed && !arguments.empty()) co_return adb_failed("adb devices [-l]");
  CO_TRY(auto server, co_await find_adb_server(context));
  std::string text;
  if (server) {
    CO_TRY(text, co_await server->query({}, detailed ? "devices-l" : "devices"));
  } else {
    CO_TRY(const auto rows,
           co_await own_rows(context, detailed ? Detail::described : Detail::states));
    for (const DeviceRow& row : rows) text += detailed ? long_line(row) : short_line(row);
  }
  print_out("List of devices attached\n" + text + "\n");
  co_return 0;
}

// Copies the server's blocks as they arrive: LLLL and the list.
Task<int> adb_track_devices(AdbContext* context, AdbWords arguments) {
  const bool detailed = arguments == AdbWords{"-l"};
  if (!detailed && !arguments.empty()) co_return adb_failed("usage: adb track-devices [-l]");
  CO_TRY(auto server, co_await find_adb_server(context));
  if (!server) co_return not_offered("track-devices", "no adb server answers");
  CO_TRY(auto stream, co_await server->track(detailed ? "track-devices-l" : "track-devices"));
  std::vector<std::byte> chunk(16384);
  for (;;) {
    const auto size = co_await stream->read_some(chunk);
    if (!size && size.error().code() == errc::closed) co_return 0;
    if (!size) co_return std::unexpected(size.error());
    print_out(as_text(ByteView(chunk).first(*size)));
  }
}

// get-state, get-serialno, get-devpath: from the server, or from us if none answers.
Task<int> adb_get(AdbContext* context, AdbWords) {
  co_return print_line(co_await query_device(context));
}

// The features of both sides, in adb's order.
Task<int> adb_features(AdbContext* context, AdbWords) {
  CO_TRY(auto server, co_await find_adb_server(context));
  CO_TRY(const auto device, co_await open_adb_device(context));
  std::string list = device->features().to_string();
  FeatureSet host = host_banner(DelayedAck::announced).features;
  if (server && device->route() == "server") {
    CO_TRY(list, co_await server->query(choice_of(*context), "features"));
    CO_TRY(host, co_await server->host_features());
  }
  std::string lines;
  for (const auto part : list | std::views::split(',')) {
    const std::string_view name(part);
    if (host.has(name)) lines += std::string(name) + "\n";
  }
  print_out(lines);
  co_return 0;
}

// Without a server our features are the host's.
Task<int> adb_host_features(AdbContext* context, AdbWords) {
  co_return print_line(co_await features_of_host(context));
}

}  // namespace clawperator::cli
