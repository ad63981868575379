#pragma once
// Carries executions out and opens devices: this process by itself, this process with devices that
// stay connected, or a daemon. Code that acts on a phone depends on this interface alone.

#include "runtime/device/device_row.hpp"
#include "runtime/device/target.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // As clawperator::execute; sessions and log are the executor's own.
  virtual Task<ExecuteResult> execute(ExecuteRequest request) = 0;
  // For work that is no execution; errors as of resolve_device.
  virtual Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) = 0;
  // By the device's own `input`, without the app; errors as of perform_input.
  virtual Task<InputDone> give_input(TargetOptions target, DeviceInput input) = 0;
  // All ways to devices; errors as of list_devices.
  virtual Task<std::vector<DeviceRow>> devices() = 0;
};

}  // namespace clawperator
