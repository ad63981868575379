#pragma once
// A plan by the Operator app: attach the log and check the app, dispatch, await the envelope.

#include "runtime/engine/backend.hpp"
#include "runtime/engine/operator_backend/node_guard.hpp"
#include "runtime/engine/point_check.hpp"

namespace clawperator {

class OperatorBackend final : public ExecutionBackend {
 public:
  explicit OperatorBackend(const BackendParts& parts);

  [[nodiscard]] bool asks_beside() const override;
  asio::awaitable<void> ask_beside() override;
  // Waits for the check of the Operator, unless this boot had it before: then the broadcast does
  // not wait, and act() ends when the check finds the Operator missing.
  Task<std::optional<DeviceFacts>> prepare() override;
  CommandLog* log() override { return log_.stream.get(); }
  Task<void> act() override;
  [[nodiscard]] bool may_be_running() const override { return conversation_.may_be_running(); }

 private:
  Task<std::unique_ptr<CommandLog>> attach();
  [[nodiscard]] bool is_remembered(const DeviceFacts& facts) const;
  Task<void> check_features();
  asio::awaitable<void> measure_screen();
  Task<void> stop_apps();
  Task<void> answer();

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  Phone* phone_;
  base::Signal answered_;  // a query beside the stages was answered
  bool screen_answered_;
  PointCheck points_;  // of the points that the plan names by numbers
  OperatorSearch search_;
  DispatchLog log_;
  Conversation conversation_;
  std::optional<NodeGuard> guard_;  // for a plan with a ref
};

}  // namespace clawperator
