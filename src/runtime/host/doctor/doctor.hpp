#pragma once
// `clawperator doctor`: is everything there that an execution needs, from this computer to the
// Operator app's answer?
//
//   host checks + the way to the device   all at once
//     -> [build]  -> device.discovery     -> [install, launch]
//     -> capability, app, version, settings   all at once
//     -> handshake -> [smoke]
//
// The report has the published order, not that of the answers; a critical failure ends it, except
// those of device.capability and readiness.apk.presence.

#include <filesystem>

#include "runtime/device/target.hpp"
#include "runtime/host/doctor/report.hpp"
#include "runtime/host/operator/compatibility.hpp"

namespace clawperator {

class EventLog;

enum class Repairing { no, yes };
enum class DoctorScope { short_check, full_check };

struct DoctorOptions {
  TargetOptions target{};
  NamedOperator operator_package{};
  std::optional<std::string> broadcast_action{};
  ProgramVersions versions{};
  Repairing repairing = Repairing::no;           // --fix
  DoctorScope scope = DoctorScope::short_check;  // --full
  std::filesystem::path folder{};                // --full searches the checkout from here upwards
  EventLog* log = nullptr;                       // may be absent; one event a check
};

// Fails only when there is nothing to report: invalid arguments, cancellation. `report` is kept
// current: then it contains the repairs that were made.
Task<void> run_doctor(DoctorOptions options, Report* report);

}  // namespace clawperator
