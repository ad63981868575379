#pragma once
// The questions of doctor to a device, and the two executions that prove the Operator app works.

#include <memory>
#include <string>

#include "adbproto/client/device.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/doctor/device_checks.hpp"
#include "runtime/host/operator/service_proof.hpp"

namespace clawperator {

// All at once: as long as the slowest takes. Fails only when cancelled.
Task<DeviceAnswers> ask_device(adbproto::Device* device, std::string operator_package,
                               ProgramVersions versions);

// Why the accessibility service may be down, or the app silent. Fails only when the device is gone
// or we are cancelled.
Task<ServiceFacts> ask_about_service(adbproto::Device* device, std::string operator_package);

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

// For setup and grants: a handshake with the package that it turns out to be.
struct PingOptions {
  TargetOptions target{};
  std::string broadcast_action{};
};
std::function<Ping(std::string operator_package)> ping_of(DevicePointer device,
                                                          PingOptions options);

// On the open device, with the published patience.
Task<ExecuteResult> execute_on(Dispatch dispatch, Execution execution);

}  // namespace clawperator
