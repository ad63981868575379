#pragma once
// A plan without the Operator app: its steps over the device's shell. A plan of pictures alone has
// no work before they are taken.

#include "runtime/engine/backend.hpp"
#include "runtime/engine/point_check.hpp"

namespace clawperator {

class ShellHand;
class ShellRun;

class ShellBackend final : public ExecutionBackend {
 public:
  explicit ShellBackend(const BackendParts& parts);

  Task<std::optional<DeviceFacts>> prepare() override;
  Task<void> act() override;
  [[nodiscard]] bool may_be_running() const override { return may_be_running_; }

 private:
  Task<Envelope> carry_out(ShellRun* run, const ShellHand* hand);

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  Phone* phone_;
  base::Signal answered_;
  PointCheck points_;  // of the points that the plan names by numbers
  Identity identity_;
  std::string sdk_;  // as the device printed it
  bool may_be_running_ = false;
};

}  // namespace clawperator
