#pragma once
// `provision emulator`: an emulator that fits, by the shortest way.
//
//   one that runs -> reused;  one that exists -> started;  none -> created and started

#include "runtime/host/emulator/lifecycle.hpp"
#include "runtime/host/emulator/sdk_tools.hpp"

namespace clawperator {

struct Provisioned {
  RunningEmulator emulator{};
  bool created = false;
  bool started = false;
  bool reused = false;
};

// The steps for the AVDs and emulators that exist; pure.
struct ProvisionPlan {
  enum class Step { reuse, start, refuse, create } step{};
  std::string avd_name{};

  bool operator==(const ProvisionPlan&) const = default;
};
// `running` and `avds` in the order of preference after `preferred`.
ProvisionPlan plan_provision(const std::string& preferred,
                             const std::vector<RunningEmulator>& running,
                             const std::vector<Avd>& avds);

// Installs the image if need be, makes the device, reads it back: what `emulator create` does.
// emulator_already_exists before anything is changed, unless it is replaced; then
// emulator_already_running rather than replacing one that runs.
Task<Avd> create_emulator(EmulatorHost host, AvdProfile profile, Existing existing);

// emulator_not_found, emulator_already_running.
Task<void> delete_emulator(EmulatorHost host, std::string name);

// android_sdk_tool_missing before anything else; emulator_unsupported when the preferred name is
// taken by a device that does not fit. Ends with the developer settings switched on.
Task<Provisioned> provision_emulator(EmulatorHost host, std::string preferred);

// The published objects of emulators, for the command line and HTTP alike: their members in order.

// {"avds":[...]}; each contains whether it runs.
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
