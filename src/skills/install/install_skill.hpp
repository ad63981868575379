#pragma once
// Installs what a skill needs, one of the ways that its metadata names: a package manager's program
// without a shell, or a download.

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "adbproto/link/task.hpp"
#include "runtime/host/child_process.hpp"
#include "skills/agent/config.hpp"
#include "skills/agent/skill.hpp"
#include "skills/install/install_plan.hpp"
#include "skills/install/install_result.hpp"

namespace clawperator::agent_skills {

struct InstallRequest {
  Entry entry{};
  Config config{};
  std::filesystem::path state{};  // tools go to <state>/tools
  std::string install_id{};
  std::optional<std::chrono::milliseconds> timeout{};  // within install_limit's bounds
  std::function<int()> farewell = [] { return SIGTERM; };
  std::function<void(ChildStream, std::string_view)> on_output{};  // as the programs say it
};

// Of this computer; it blocks for a few looks at files.
InstallTools find_install_tools();

// agent_skill_not_found: no installer of that id; else what install_plan has.
Result<InstallPlan> plan_install(const InstallRequest& request);

// What install_skill makes of an error of plan_install.
InstallResult plan_failure(const InstallRequest& request, const Error& error);

// Every failure is a result that is not ok; an error only when it is cancelled.
Task<InstallResult> install_skill(InstallRequest request);

}  // namespace clawperator::agent_skills
