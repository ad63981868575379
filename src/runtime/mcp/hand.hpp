#pragma once
// What the tools act through: the same for a server on stdin and stdout, which may have its own
// connections or borrow a daemon's, and for `serve`.

#include <functional>
#include <string>
#include <vector>

#include "runtime/act/input_body.hpp"
#include "runtime/act/snapshot_store.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/compatibility.hpp"

namespace clawperator::mcp {

struct Hand {
  TargetOptions target;          // of calls that name no device
  std::string operator_package;  // resolved
  std::string broadcast_action;  // resolved
  ProgramVersions versions;
  act::SnapshotStore snapshots{{}};
  EventLog* log = nullptr;

  std::function<Task<ExecuteResult>(ExecuteRequest)> execute;
  std::function<Task<std::vector<DeviceRow>>()> devices;
  // By the device's own `input`; the serial number of the device that took it.
  std::function<Task<std::string>(TargetOptions, act::InputBody)> input;
};

// Over devices that this process keeps connected; both must outlive it. Whom, with what and where
// to is still to be filled in.
Hand own_hand(Supervisor* devices, DeviceSessions* sessions);

}  // namespace clawperator::mcp
