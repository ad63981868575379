#pragma once
// Virtual devices and running emulators for human eyes.

#include <string>
#include <vector>

#include "runtime/host/emulator/provision.hpp"

namespace clawperator::cli {

std::string avds_for_people(const std::vector<Avd>& avds);
std::string running_for_people(const std::vector<RunningEmulator>& running);
std::string provisioned_for_people(const Provisioned& done);

}  // namespace clawperator::cli
