#pragma once
// The questions of doctor, to this computer and to a device; and the two executions that prove the
// Operator app works.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/device/target.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/doctor/device_checks.hpp"
#include "runtime/host/doctor/host_checks.hpp"
#include "runtime/host/operator/grants.hpp"

namespace clawperator {

// All at once: as long as the slowest takes. Fails only when cancelled.
Task<DeviceAnswers> query_device(adbproto::Device* device, NamedOperator operator_package,
                                 ProgramVersions versions);

// Why the accessibility service may be down, or the app silent. Fails only when the device is gone
// or we are cancelled.
Task<ServiceFacts> query_service(adbproto::Device* device, std::string operator_package);

using DevicePointer = std::shared_ptr<adbproto::Device>;

// How an execution reaches the app.
struct Dispatch {
  DevicePointer device{};
  TargetOptions target{};
  NamedOperator operator_package{};
  std::optional<std::string> broadcast_action{};
  EventLog* log = nullptr;
};

Execution handshake_execution();
Execution smoke_execution();

// For setup and grants.
struct PingOptions {
  TargetOptions target{};
  std::optional<std::string> broadcast_action{};
};
Ping ping_of(DevicePointer device, PingOptions options);

// Executes on the open device, with the published limits.
Task<ExecuteResult> execute_on(Dispatch dispatch, Execution execution);

// The facts of this computer and of the ways to devices, read all at once.
struct HostSurvey {
  HostFacts facts{};
  std::shared_ptr<adbproto::Device> device{};  // absent: facts.unresolved has the reason
};

// A device that does not know our key is only reported; it does not get the key. Fails only when a
// server's or device's name is invalid, and when cancelled.
Task<HostSurvey> survey_host(TargetOptions target);

// The Operator app to the front: a process that makers' guards will not start for a broadcast they
// do start for this. Starts its activity. android_app_launch_failed with the device's words;
// link_lost.
Task<void> launch_operator(adbproto::Device* device, std::string operator_package);

}  // namespace clawperator
