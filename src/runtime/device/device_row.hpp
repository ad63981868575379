#pragma once
// One way to one device: a row of `clawperator devices`, and a candidate of a choice. Names are
// parsed where a row is made and written where it is printed; in between there are enumerators.

#include "adbproto/client/device.hpp"
#include "adbproto/session/mdns_browser.hpp"

namespace adbproto {
struct DeviceLine;
struct UsbDevice;
}  // namespace adbproto

namespace clawperator {

// How a device is reached. `automatic` is for questions: the adb server that holds the device, else
// USB, else TCP. A row with `mdns` is a phone that announces itself and is not connected.
enum class Transport { automatic, server, usb, tcp, mdns };
std::string_view transport_name(Transport transport);

// adb's states, then ours. `unknown` is any other state of an adb server.
enum class State {
  unknown,
  device,
  recovery,
  sideload,
  rescue,
  bootloader,
  host,
  offline,
  unauthorized,
  authorizing,
  connecting,
  no_permissions,
  detached,
  busy,
  announced
};

// Is a device in that state there to talk to, Android or not?
bool answers(State state);

// A state and its text. A text that contains more than the name, or that only the adb server
// understands, is kept as it came.
class DeviceState {
 public:
  DeviceState(State state = State::unknown) : state_(state) {}
  explicit DeviceState(std::string_view text);

  operator State() const { return state_; }
  [[nodiscard]] std::string text() const;
  bool operator==(const DeviceState&) const = default;
  bool operator==(State state) const { return state_ == state; }

 private:
  State state_;
  std::string text_{};  // empty: the state's name
};

// The state by the device's banner; `device` where only the server has the banner.
DeviceState state_of(const adbproto::Device& device);

// Empty members are left out of the JSON.
struct DeviceRow {
  std::string serial{};
  DeviceState state{};
  Transport transport = Transport::automatic;
  std::optional<std::uint64_t> transport_id{};  // the adb server's number of this connection
  std::string identity{};
  std::string product{};
  std::string model{};
  std::string device{};
  std::string bus_address{};
  std::string obstacle{};                         // why it is barred or busy: what would help
  std::optional<adbproto::AdbService> service{};  // that is announced
  std::string address{};                          // HOST:PORT of an announcement
  std::string bus_number{};                       // of USB: "usb:1:4", bus and device number
  std::uint32_t usb_speed_mbit = 0;
  std::optional<adbproto::RouteFacts> facts{};  // of a direct link that was tried

  bool operator==(const DeviceRow&) const = default;
};

DeviceRow server_row(const adbproto::DeviceLine& line);
DeviceRow usb_row(const adbproto::UsbDevice& phone);
// "connect", "pairing" or "plain"; empty where nothing is announced.
std::string_view service_name(const DeviceRow& row);

bool is_on_usb(const DeviceRow& row);
// Whether the server's row stands for that phone on USB. A phone that the server detached, or may
// not open itself, is free for others.
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row);
bool holds(const DeviceRow& server_row, const adbproto::UsbDevice& phone);

// Where the same phone is expected again: a socket of the bus, an address.
std::string memory_key(const DeviceRow& row);

}  // namespace clawperator
