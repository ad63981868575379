#pragma once
// What both backends do with their envelope before it leaves the engine.

#include "runtime/engine/device_session.hpp"
#include "runtime/engine/execution_job.hpp"

namespace clawperator {

// Masks what is secret in the answer, and stores its last tree in the session, where there is one.
Task<void> show_tree(ExecutionJob* job, DeviceSession* session);

}  // namespace clawperator
