#pragma once
// How the routes and the tools of one server act: over its devices, with pictures only where
// clients may have files.

#include "runtime/act/executors.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// Of the routes. Events get the stages of each execution; a route reports its outcome itself.
class RouteExecutor final : public act::SupervisedExecutor {
 public:
  explicit RouteExecutor(Service* service)
      : SupervisedExecutor(service->devices, service->sessions, service->log), service_(service) {}
  Task<ExecuteResult> execute(ExecuteRequest request) override;

 private:
  Service* service_;
};

// Of POST /mcp, which reports no executions itself: each, and each input, is counted and goes to
// the events.
class ToolExecutor final : public act::SupervisedExecutor {
 public:
  explicit ToolExecutor(Service* service)
      : SupervisedExecutor(service->devices, service->sessions, service->log), service_(service) {}
  Task<ExecuteResult> execute(ExecuteRequest request) override;
  Task<InputDone> give_input(TargetOptions target, DeviceInput input) override;

 private:
  Service* service_;
};

}  // namespace clawperator::serve
