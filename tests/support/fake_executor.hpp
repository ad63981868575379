#pragma once
// An executor without a phone: keeps what would be executed, and answers as a test lays out.

#include <deque>

#include "runtime/engine/executor.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator::test {

class FakeExecutor final : public Executor {
 public:
  std::vector<ExecuteRequest> requests;
  Result<ExecuteResult> outcome = ExecuteResult{};
  std::deque<Result<ExecuteResult>> outcomes;  // in their turn, before `outcome`
  std::function<Task<ExecuteResult>(ExecuteRequest)> on_execute{};  // instead of these
  std::function<Task<std::vector<DeviceRow>>()> on_devices{};

  Task<ExecuteResult> execute(ExecuteRequest request) override {
    if (on_execute) co_return co_await on_execute(std::move(request));
    if (request.on_stage) request.on_stage({.name = "found", .operation = "click", .detail = ""});
    requests.push_back(std::move(request));
    if (outcomes.empty()) co_return outcome;
    auto next = std::move(outcomes.front());
    outcomes.pop_front();
    co_return next;
  }
  Task<std::unique_ptr<adbproto::Device>> open(TargetOptions) override {
    co_return fail(errc::closed, "there is no phone");
  }
  Task<InputDone> give_input(TargetOptions, DeviceInput) override {
    co_return fail(errc::closed, "there is no phone");
  }
  Task<std::vector<DeviceRow>> devices() override {
    if (on_devices) co_return co_await on_devices();
    co_return std::vector<DeviceRow>{{.serial = "phone"}};
  }
};

}  // namespace clawperator::test
