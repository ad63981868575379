#include "runtime/device/device_row.hpp"

#include "adbproto/link/usb_bus.hpp"
#include "adbproto/wire/smart_socket.hpp"

namespace clawperator {

namespace {

// In the order of State.
constexpr std::array<std::string_view, 15> kStates = {
    "",           "device",         "recovery", "sideload",     "rescue",
    "bootloader", "host",           "offline",  "unauthorized", "authorizing",
    "connecting", "no permissions", "detached", "busy",         "announced"};

constexpr std::string_view name_of(State state) { return kStates[static_cast<std::size_t>(state)]; }
static_assert(name_of(State::announced) == "announced");

// "no permissions (user in plugdev group; are your udev rules wrong?); see [http://...]"
State state_named(std::string_view text) {
  for (std::size_t i = 1; i < kStates.size(); ++i) {
    if (kStates[i] == text) return static_cast<State>(i);
  }
  const bool is_barred = text.starts_with(name_of(State::no_permissions));
  return is_barred ? State::no_permissions : State::unknown;
}

// "usb:1-2" in any spelling of the server; empty when there is none.
std::string usb_place(const DeviceRow& row) {
  const std::string& place = row.bus_address;
  return place.empty() || place.starts_with("usb:") ? place : "usb:" + place;
}

}  // namespace

std::string_view transport_name(Transport transport) {
  constexpr std::string_view kNames[] = {"", "server", "usb", "tcp", "mdns"};
  return kNames[static_cast<std::size_t>(transport)];
}

bool answers(State state) { return state >= State::device && state <= State::host; }

DeviceState::DeviceState(std::string_view text) : state_(state_named(text)) {
  if (name_of(state_) != text) text_ = text;
}

std::string DeviceState::text() const {
  return text_.empty() ? std::string(name_of(state_)) : text_;
}

DeviceState state_of(const adbproto::Device& device) {
  const std::string_view state = device.facts().state;
  return state.empty() ? DeviceState(State::device) : DeviceState(state);
}

DeviceRow server_row(const DeviceLine& line) {
  DeviceRow row{.serial = line.serial,
                .state = DeviceState(line.state),
                .transport = Transport::server,
                .product = line.product,
                .model = line.model,
                .device = line.device,
                .bus_address = line.devpath};
  if (line.transport_id != 0) row.transport_id = line.transport_id;
  return row;
}

DeviceRow usb_row(const UsbDevice& phone) {
  DeviceRow row{.serial = phone.serial.empty() ? phone.address : phone.serial,
                .state = State::offline,
                .transport = Transport::usb,
                .bus_address = phone.address,
                .obstacle = phone.obstacle,
                .usb_speed_mbit = phone.speed_mbit};
  row.bus_number = "usb:" + std::to_string(phone.bus) + ":" + std::to_string(phone.device_number);
  if (phone.access == UsbDevice::Access::denied) row.state = State::no_permissions;
  if (phone.access == UsbDevice::Access::busy) row.state = State::busy;
  return row;
}

std::string_view service_name(const DeviceRow& row) {
  constexpr std::string_view kNames[] = {"plain", "connect", "pairing"};
  return row.service ? kNames[static_cast<std::size_t>(*row.service)] : "";
}

bool is_on_usb(const DeviceRow& row) {
  return row.transport == Transport::usb || !row.bus_address.empty();
}

// The server names places by port path or by bus and device number, with `usb:` or without; some
// name none. A server elsewhere may have another phone at a place of that name; without a serial
// of its own a phone is called by its place.
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row) {
  if (server_row.transport != Transport::server || usb_row.transport != Transport::usb)
    return false;
  if (server_row.state == State::detached || server_row.state == State::no_permissions)
    return false;
  const bool same_serial = usb_row.serial == server_row.serial;
  const std::string place = usb_place(server_row);
  if (place.empty()) return same_serial;
  if (!same_serial && usb_row.serial != usb_row.bus_address) return false;
  return place == usb_row.bus_address || place == usb_row.bus_number;
}

bool holds(const DeviceRow& row, const UsbDevice& phone) { return holds(row, usb_row(phone)); }

std::string memory_key(const DeviceRow& row) { return row.serial + "|" + usb_place(row); }

}  // namespace clawperator
