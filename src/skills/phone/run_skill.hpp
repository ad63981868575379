#pragma once
// Runs a skill's script: validates it first, requires a ready device, and ends its whole process
// group when its time is over.

#include "base/async/task.hpp"
#include "base/system/child_process.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/log/event_log.hpp"
#include "skills/phone/rules/outcome.hpp"

namespace clawperator::phone_skills {

// The published default of `skills run`; --timeout or the manifest sets another.
inline constexpr std::chrono::milliseconds kSkillLimit{120'000};

struct RunRequest {
  SkillCall call{};
  TargetOptions target{};                  // the device must be ready; its names are passed on
  NamedOperator operator_package{};        // the named one, else the installed one
  ResolveDevice resolve = resolve_device;  // opens the device
  bool skip_validate = false;
  std::function<void()> on_start = [] {};                          // right before the script
  std::function<void(ChildStream, std::string_view)> on_output{};  // while it runs
  // the signal that ends the script on cancellation
  std::function<int()> farewell = [] { return SIGTERM; };
  EventLog* log = nullptr;
};

// Error: the preparation failed, the system had no descriptors for the script (io), or the run was
// stopped from outside (cancelled). Errors of the preparation: registry_read_failed,
// skill_not_found, skill_validation_failed, skill_script_not_found, skill_agent_cli_unavailable,
// device errors, device_not_interactive.
// Outcome: everything else, also a script that could not be started.
Task<Outcome> run_skill(RunRequest request);

}  // namespace clawperator::phone_skills
