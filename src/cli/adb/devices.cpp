#include <algorithm>
#include <cctype>

#include "base/bytes.hpp"
#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kSerialColumn = 22;

std::string short_line(const DeviceRow& row) { return row.serial + "\t" + row.state.text() + "\n"; }

// A model may have blanks, which would end the word.
std::string one_word(std::string model) {
  const auto is_odd = [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; };
  std::ranges::replace_if(model, is_odd, '_');
  return model;
}

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

Task<int> run_devices(AdbContext* context, Words arguments) {
  const bool detailed = arguments == Words{"-l"};
  if (!detailed && !arguments.empty()) co_return adb_failed("adb devices [-l]");
  CO_TRY(auto server, co_await find_adb_server(context));
  std::string text;
  if (server) {
    CO_TRY(text, co_await server->ask({}, detailed ? "devices-l" : "devices"));
  } else {
    CO_TRY(const auto rows,
           co_await own_rows(context, detailed ? Detail::described : Detail::states));
    for (const DeviceRow& row : rows) text += detailed ? long_line(row) : short_line(row);
  }
  print_out("List of devices attached\n" + text + "\n");
  co_return 0;
}

// The server's blocks as they come: LLLL and the list.
Task<int> run_track_devices(AdbContext* context, Words arguments) {
  const bool detailed = arguments == Words{"-l"};
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

}  // namespace

constinit const AdbCommand kAdbDevices = {"devices", " devices [-l]",
                                          "list the devices, -l with details", run_devices};
constinit const AdbCommand kAdbTrackDevices = {"track-devices", " track-devices [-l]",
                                               "print the server's list whenever it changes",
                                               run_track_devices};

}  // namespace clawperator::cli
