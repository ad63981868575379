#pragma once
// Installs what a skill needs in one of the ways of its metadata: a package manager's program
// without a shell, or a download.

#include <filesystem>

#include "base/async/task.hpp"
#include "base/error.hpp"
#include "base/system/child_process.hpp"
#include "skills/agent/install_plan.hpp"
#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct InstallerRequest {
  Entry entry{};
  Config config{};
  std::filesystem::path state{};  // tools go to <state>/tools
  std::string install_id{};
  std::optional<std::chrono::milliseconds> timeout{};  // within install_limit's bounds
  std::function<int()> farewell = [] { return SIGTERM; };
  std::function<void(ChildStream, std::string_view)> on_output{};  // while the programs print it
};

// The result of an installation, with the published messages.
struct InstallResult {
  bool ok = false;
  std::string message{};
  std::string out{};  // trimmed, as what follows
  std::string err{};
  std::optional<int> code{};  // an exit code; absent: it did not exit, or nothing was started
};

// Reads facts about this computer; blocks for a few file accesses. agent_skill_not_found: no
// installer of that id; else the errors of install_plan.
Result<InstallPlan> plan_install(const InstallerRequest& request);

// The plan as a caller reads it, without doing anything:
// {"dryRun":true,"skill","installId","plan"}; with "available":false and "message" instead of
// "plan" where a program is missing that installs.
Result<std::string> dry_run_json(const InstallerRequest& request);

// The error of a command for one of plan_install: that of a failed installation, unless the request
// itself is wrong.
Error plan_error(const InstallerRequest& request, const Error& error);

// A failure is a result with ok = false; only a cancellation is an error.
Task<InstallResult> run_installer(InstallerRequest request);

// {"ok":...,"message":...,"stdout":...,"stderr":...,"code":...}
std::string install_json(const InstallResult& result);

// agent_install_failed; `details` has the other members.
Error install_error(const InstallResult& result);

// "Install failed (exit 1): error: no such formula": the most useful line of stderr, else of
// stdout, shortened.
std::string install_failure(std::optional<int> code, std::string_view out, std::string_view err);

// "Download failed (404 Not Found)"
std::string download_failure(long status);

}  // namespace clawperator::agent_skills
