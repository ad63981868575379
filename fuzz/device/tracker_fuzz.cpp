// Invariants, for whatever an adb server's tracker says block after block: a reader that hears only
// of changes knows what is there, no way is listed twice, and nothing changes by looking twice.

#include <map>

#include "adbproto/wire/smart_socket.hpp"
#include "runtime/device/discovery/device_model.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  DeviceModel model;
  model.replace(Transport::usb,
                {{.serial = "A", .state = State::device, .transport = Transport::usb}});
  std::vector<DeviceRow> seen;
  std::map<std::string, DeviceRow> known;
  BlockReader blocks;
  blocks.feed(fuzz::input(data, size));
  for (auto block = blocks.next(); block && *block; block = blocks.next()) {
    std::vector<DeviceRow> rows;
    const auto lines = parse_devices_long(**block);
    if (!lines) break;  // it ends the tracker
    for (const DeviceLine& line : *lines) rows.push_back(server_row(line));
    model.replace(Transport::server, std::move(rows));
    const auto now = model.rows();
    for (const DeviceEvent& event : changes(seen, now)) {
      const std::string key = route_key(event.row);
      fuzz::require(known.contains(key) == (event.kind != DeviceEvent::Kind::added));
      known.erase(key);
      if (event.kind != DeviceEvent::Kind::removed) known[key] = event.row;
    }
    fuzz::require(known.size() == now.size());
    for (const DeviceRow& row : now) fuzz::require(known[route_key(row)] == row);
    fuzz::require(changes(now, now).empty());
    seen = now;
  }
  return 0;
}
