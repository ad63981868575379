#pragma once
// Executors that work in this process. runtime/daemon has the client of another process.

#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/engine/executor.hpp"

namespace clawperator::act {

// For one command: opens a device for each task and closes it afterwards. `log` may be nullptr; it
// must outlive the executor.
class OwnExecutor final : public Executor {
 public:
  explicit OwnExecutor(EventLog* log) : log_(log) {}

  Task<ExecuteResult> execute(ExecuteRequest request) override;
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) override;
  Task<InputDone> give_input(TargetOptions target, DeviceInput input) override;
  Task<std::vector<DeviceRow>> devices() override;

 private:
  EventLog* log_;
};

// For a process that lives long: its devices stay connected. All three must outlive it.
class SupervisedExecutor : public Executor {
 public:
  SupervisedExecutor(Supervisor* devices, DeviceSessions* sessions, EventLog* log)
      : devices_(devices), sessions_(sessions), log_(log) {}

  Task<ExecuteResult> execute(ExecuteRequest request) override;
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) override;
  Task<InputDone> give_input(TargetOptions target, DeviceInput input) override;
  Task<std::vector<DeviceRow>> devices() override;

 private:
  Supervisor* devices_;
  DeviceSessions* sessions_;
  EventLog* log_;
};

}  // namespace clawperator::act
