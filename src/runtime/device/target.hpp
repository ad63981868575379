#pragma once
// Which device a command is for, and how to reach it.
//
// Order of choice: --device, ANDROID_SERIAL, the only device. Sources: the adb server's list, TCP
// targets (`clawperator connect`), a HOST:PORT dialled directly with --transport tcp.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"

namespace clawperator {

enum class Transport { automatic, server, tcp };

struct TargetOptions {
  std::optional<std::string> device;      // --device
  std::optional<std::string> adb_server;  // --adb-server, overrides the environment
  Transport transport = Transport::automatic;
  bool honour_android_serial = true;  // false in serve, daemon and MCP
  bool start_server = false;          // --start-server
};

// One row of `clawperator devices`; empty members are left out of the JSON.
struct DeviceRow {
  std::string serial;
  std::string state;
  std::string transport;  // "server" or "tcp"
  std::string transport_id;
  std::string identity;
  std::string product;
  std::string model;
  std::string device;
  std::string bus_address;
};

// Fails with adb_server_failed when no source answers at all.
adbproto::Task<std::vector<DeviceRow>> list_devices(TargetOptions options);

// no_devices, device_not_found, multiple_devices_device_id_required as published.
adbproto::Task<std::unique_ptr<adbproto::Device>> resolve_device(TargetOptions options);

// `clawperator connect|disconnect HOST:PORT`: through the adb server where one runs, and kept in
// ~/.clawperator/targets.json. Returns the text for people.
adbproto::Task<std::string> connect_target(TargetOptions options, std::string address);
adbproto::Task<std::string> disconnect_target(TargetOptions options, std::string address);

}  // namespace clawperator
