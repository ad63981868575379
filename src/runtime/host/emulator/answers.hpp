#pragma once
// What is said of emulators, on the command line and over HTTP alike: the members of the published
// objects, in their order.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/emulator/provision.hpp"

namespace clawperator {

// {"avds":[...]}; each says whether it runs.
std::string avds_json(std::vector<Avd>* avds, const std::vector<RunningEmulator>& running);
// {"devices":[...]}, with what fits and what does not, read from the files of each.
std::string running_json(const EmulatorHost& host, const std::vector<RunningEmulator>& running);
// {"type","avdName","serial","booted"}
std::string started_json(const RunningEmulator& emulator, std::string_view avd_name);
// The same with created, started and reused.
std::string provisioned_json(const Provisioned& done);
// {"ok":true,"avdName","serial"?,"stopped":true}; the serial where `name` is one.
std::string stopped_json(const RunningEmulator& emulator, std::string_view name);
// {"ok":true,"avdName","deleted":true}
std::string deleted_json(std::string_view avd_name);

}  // namespace clawperator
