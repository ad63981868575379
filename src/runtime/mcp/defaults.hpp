#pragma once
// The values that all calls of one server share: a server on stdin and stdout, which has its own
// connections or uses a daemon's, and `serve`.

#include "runtime/act/seen.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/host/operator/compatibility.hpp"

namespace clawperator::mcp {

struct Defaults {
  Executor* executor = nullptr;      // must outlive the server
  TargetOptions target{};            // of calls that name no device
  NamedOperator operator_package{};  // by flag or environment
  std::optional<std::string> broadcast_action{};
  std::optional<Backend> backend{};  // absent: by the action (act::backend_of)
  ProgramVersions versions{};
  act::Seen seen{};
  // The device that the last answer was of, on a connection of one client; null: unknown client.
  std::shared_ptr<std::string> answered{};
  EventLog* log = nullptr;
};

}  // namespace clawperator::mcp
