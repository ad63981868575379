#pragma once
// A command's side of the daemon's socket.

#include "runtime/daemon/messages.hpp"
#include "runtime/engine/executor.hpp"

namespace clawperator::daemon {

// A killed process leaves one behind.
bool has_socket();

// The process at the socket carries the request out. nullopt: there is no such process, it
// declined, or it ended before `begun`; then the device is unchanged and the caller runs the
// request itself. This process writes the pictures. When cancelled, it sends `cancel` and returns
// the outcome.
asio::awaitable<std::optional<Result<ExecuteResult>>> execute_by_daemon(
    const ExecuteRequest* request, const Surface* surface);

// The daemon, where one runs and takes the request; else `here`, which also opens all devices. Once
// the daemon has begun, nothing is done here, too.
class DaemonOrHere final : public Executor {
 public:
  // Without a surface always here. `here` must outlive it.
  DaemonOrHere(Executor* here, std::optional<Surface> surface)
      : here_(here), surface_(std::move(surface)) {}

  Task<ExecuteResult> execute(ExecuteRequest request) override;
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) override {
    return here_->open(std::move(target));
  }
  Task<InputDone> give_input(TargetOptions target, DeviceInput input) override {
    return here_->give_input(std::move(target), std::move(input));
  }
  Task<std::vector<DeviceRow>> devices() override { return here_->devices(); }

 private:
  Executor* here_;
  std::optional<Surface> surface_;
};

// The status of the process at the socket, as a JSON object; nullopt: there is none.
Task<std::optional<std::string>> query_status();
// Requests the process's end; false: there is no process.
Task<bool> request_stop();

}  // namespace clawperator::daemon
