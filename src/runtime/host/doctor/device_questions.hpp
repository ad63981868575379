#pragma once
// The questions of doctor to a device, and the two executions that prove the Operator app works.

#include <memory>
#include <string>

#include "adbproto/client/device.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/doctor/device_checks.hpp"

namespace clawperator {

// All at once: as long as the slowest takes. Fails only when cancelled.
adbproto::Task<DeviceAnswers> ask_device(adbproto::Device* device, std::string operator_package,
                                         ProgramVersions versions);

using DevicePointer = std::shared_ptr<adbproto::Device>;

// How an execution reaches the app.
struct Dispatch {
  DevicePointer device{};
  TargetOptions target{};
  std::string operator_package{};
  std::string broadcast_action{};
  EventLog* log = nullptr;
};

Execution handshake_execution();
Execution smoke_execution();

// On the open device, with the published patience.
adbproto::Task<ExecuteResult> execute_on(Dispatch dispatch, Execution execution);

}  // namespace clawperator
