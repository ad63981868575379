#pragma once
// Which device a command is for, and how to reach it.
//
// Order of choice: --device, ANDROID_SERIAL, the only device. Sources, best first: the adb server's
// list, phones on USB that no server holds, TCP targets (`clawperator connect`), a HOST:PORT
// dialled directly with --transport tcp.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"

namespace clawperator {

// `automatic`: the adb server that holds the device, else USB, else TCP.
enum class Transport { automatic, server, tcp, usb };
// adb's -d and -e: only devices on USB; only those on TCP, emulators included.
enum class Reachable { any, usb, local };

// Actions need a running Android (adb's state `device`); adb's own commands will do with recovery,
// sideload and whatever else answers.
enum class Readiness { android, any };

struct Surroundings;  // runtime/device/surroundings.hpp

struct TargetOptions {
  std::optional<std::string> device;      // --device
  std::optional<std::string> adb_server;  // --adb-server, overrides the environment
  Transport transport = Transport::automatic;
  std::optional<std::uint64_t> transport_id;  // adb's -t; the server's numbers
  Reachable reachable = Reachable::any;
  Readiness readiness = Readiness::android;
  bool honour_android_serial = true;  // false in serve, daemon and MCP
  bool start_server = false;          // --start-server
  bool server_is_absent = false;      // it was just asked in vain: not again
  // How long a person may take to confirm our key on a phone that does not know it yet; zero: the
  // key is not offered. Only a device that was chosen is asked, never one that is listed.
  std::chrono::milliseconds authorization_limit = std::chrono::seconds(30);
  std::function<void(std::string_view)> on_notice{};   // a line for the person who waits
  std::shared_ptr<const Surroundings> surroundings{};  // absent: the real ones
};

// One row of `clawperator devices`; empty members are left out of the JSON.
struct DeviceRow {
  std::string serial{};
  std::string state{};
  std::string transport{};  // "server", "tcp", "usb" or "mdns" (announced, not connected)
  std::string transport_id{};
  std::string identity{};
  std::string product{};
  std::string model{};
  std::string device{};
  std::string bus_address{};
  std::string obstacle{};    // why the state is `no permissions` or `busy`: what would help
  std::string service{};     // of mdns: "connect", "pairing" or "plain"
  std::string address{};     // of mdns: HOST:PORT
  std::string bus_number{};  // of usb: "usb:1:4", bus and device number
  std::uint32_t usb_speed_mbit = 0;
  std::optional<adbproto::RouteFacts> facts{};  // of a direct link that was tried

  bool operator==(const DeviceRow&) const = default;
};

// How closely to look: `described` asks ready devices who they are (ro.serialno, product).
enum class Look { states, described };

// Fails with adb_server_failed when no source answers at all.
Task<std::vector<DeviceRow>> list_devices(TargetOptions options, Look look = Look::states);
// What announces itself (mDNS) within the window; errc::io where that is impossible.
Task<std::vector<DeviceRow>> announced_devices(TargetOptions options,
                                               std::chrono::milliseconds window);

// The row's own route, whatever else leads to that device.
Task<std::unique_ptr<adbproto::Device>> open_row(TargetOptions options, DeviceRow row);

// no_devices, device_not_found, multiple_devices_device_id_required as published.
Task<std::unique_ptr<adbproto::Device>> resolve_device(TargetOptions options);

// `clawperator connect|disconnect HOST:PORT` (or the name a phone announces itself by): through the
// adb server where one runs, and kept in
// ~/.clawperator/targets.json. Returns the text for people.
Task<std::string> connect_target(TargetOptions options, std::string address);
Task<std::string> disconnect_target(TargetOptions options, std::string address);

}  // namespace clawperator
