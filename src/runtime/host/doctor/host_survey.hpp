#pragma once
// Looks at this computer and at the ways to devices, all at once.

#include <memory>

#include "adbproto/client/device.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/doctor/host_checks.hpp"

namespace clawperator {

struct HostSurvey {
  HostFacts facts{};
  std::shared_ptr<adbproto::Device> device{};  // absent: facts.unresolved says why
};

// A device that does not know our key is told nothing: it is reported. Fails only when the words
// that name a server or device cannot be understood, and when cancelled.
Task<HostSurvey> survey_host(TargetOptions target);

}  // namespace clawperator
