#pragma once
// What the tools act through: the same for a server on stdin and stdout, which may have its own
// connections or borrow a daemon's, and for `serve`.

#include "base/json_text.hpp"
#include "runtime/act/input_body.hpp"
#include "runtime/act/snapshot_store.hpp"
#include "runtime/device/per_device.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/operator/compatibility.hpp"
#include "runtime/host/verbs/input.hpp"

namespace clawperator::mcp {

struct Hand {
  TargetOptions target;              // of calls that name no device
  NamedOperator operator_package{};  // by flag or environment
  std::optional<std::string> broadcast_action{};
  std::optional<Backend> backend{};  // absent: by what is asked (act::backend_of)
  ProgramVersions versions;
  act::SnapshotStore snapshots{{}};
  // The hash of the tree that the one client of a connection was shown last; absent where nobody
  // knows who asks: there a ref needs its hash, and what changed since somebody else looked is
  // nobody's diff.
  std::shared_ptr<PerDevice> shown{};
  EventLog* log = nullptr;

  std::function<Task<ExecuteResult>(ExecuteRequest)> execute;
  std::function<Task<std::vector<DeviceRow>>()> devices;
  // By the device's own `input`.
  std::function<Task<InputDone>(TargetOptions, act::InputBody)> input;
  // As ready_for_script.
  std::function<Task<std::string>(TargetOptions, NamedOperator)> ready_for_script;
  // As find_recent_crash.
  std::function<Task<JsonObject>(TargetOptions, std::string package)> find_recent_crash;
};

// Over devices that this process keeps connected; all three must outlive it. Whom, with what and
// where to is still to be filled in.
Hand own_hand(Supervisor* devices, DeviceSessions* sessions, EventLog* log);

}  // namespace clawperator::mcp
