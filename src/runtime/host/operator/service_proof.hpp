#pragma once
// Does the Operator's accessibility service run? The device's settings only say that it is allowed
// to; one round trip to the app tells.
//
//   ping -> [wait, ping] -> [list it anew, ping ...] -> what is in the way

#include <functional>
#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator {

// One doctor_ping; absent: nothing is proved.
using Ping = std::function<Task<ExecuteResult>()>;

enum class ServiceState : std::uint8_t { runs, does_not_run, unknown };
ServiceState judge_ping(const Result<ExecuteResult>& answer);

// Empty when the service runs; else what a person should know. Fails only when the device is gone
// or we are cancelled.
Task<std::string> prove_service(adbproto::Device* device, std::string operator_package, Ping ping);

}  // namespace clawperator
