#pragma once
// The executor of one call: what the call starts ends when its time is over.

#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// A client waits for an answer anyhow, so it waits in line for a busy device, too.
inline constexpr std::chrono::milliseconds kPatience{15000};

class CallExecutor final : public Executor {
 public:
  // `call` must outlive it.
  explicit CallExecutor(const Call* call) : call_(call) {}

  // At the end of the call's time it is cancelled with deadline_exceeded, and may have been done.
  // However it ends, the call can be cancelled afterwards as before.
  Task<ExecuteResult> execute(ExecuteRequest request) override;
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions target) override {
    return call_->defaults->executor->open(std::move(target));
  }
  Task<InputDone> give_input(TargetOptions target, DeviceInput input) override {
    return adbproto::with_deadline(
        call_->defaults->executor->give_input(std::move(target), std::move(input)),
        call_->time_left(), "the call");
  }
  Task<std::vector<DeviceRow>> devices() override { return call_->defaults->executor->devices(); }

 private:
  const Call* call_;
};

}  // namespace clawperator::mcp
