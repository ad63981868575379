#pragma once
// Which skills may be used here, what each one lacks, and how lists show that. Pure: functions
// return the host's facts. No secret of the configuration is shown: of a value that a skill
// requires only numbers, true and false appear.

#include "base/error.hpp"
#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/install_options.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct HostFacts {
  std::string platform = "linux";  // linux, darwin, win32
  std::function<bool(const std::string& bin)> has_bin{};
  std::function<std::optional<std::string>(const std::string& name)> variable{};
};

// A further computer on which an agent may run a skill's programs.
struct Remote {
  std::vector<std::string> platforms{};
  std::vector<std::string> bins{};
  std::string note{};  // the model reads it before the skills
};

// {"platforms": ["darwin"], "bins": ["peekaboo"], "note": "..."}; invalid_argument.
Result<Remote> read_remote(std::string_view json);

struct Gate {
  const Config* config = nullptr;
  const HostFacts* host = nullptr;
  const Remote* remote = nullptr;  // null: none
};

// Why a skill may be used, or not.
struct Standing {
  bool disabled = false;
  bool blocked = false;           // bundled, and not in skills.allowBundled
  bool blocked_by_agent = false;  // not in the list of the agent, agents.list[].skills
  Requires missing{};             // always empty for a skill with `always`
  std::vector<std::string> missing_os{};
  bool eligible = false;

  [[nodiscard]] bool is_blocked() const { return blocked || blocked_by_agent; }
};
Standing standing_of(const Entry& entry, const Gate& gate);

// The names of the allowed skills, of a route or an agent; absent: all, empty: none.
using NameFilter = std::optional<std::vector<std::string>>;

// The eligible ones that the filter names, in their order.
std::vector<const Entry*> eligible_entries(std::span<const Entry* const> entries, const Gate& gate,
                                           const NameFilter& filter);

// The variables that the configuration gives to a run of an agent.
struct EnvOverride {
  std::string name{};
  std::string value{};  // a secret
  std::string skill{};  // whose configuration gives it
};

struct EnvRefusal {
  std::string name{};
  std::string skill{};
  std::string reason{};
};

struct EnvPlan {
  std::vector<EnvOverride> overrides{};
  std::vector<EnvRefusal> refused{};
};

// `strict`: refuses variables that could change which programs run (LD_PRELOAD, PATH, NODE_OPTIONS,
// ...), and secrets that the skill does not declare; trims names and keys. `as_2026_01`: takes all
// of them unchanged, as the host of January 2026 does.
enum class EnvRules { strict, as_2026_01 };

// The variables of the skills, in their order: the first value of a name counts, and a variable of
// the environment that is not empty stays. `env` of the configuration beats its `apiKey`.
EnvPlan plan_env(std::span<const Entry* const> entries, const Config& config,
                 const std::function<std::optional<std::string>(const std::string&)>& variable,
                 EnvRules rules);

struct StatusRow {
  const Entry* entry = nullptr;
  Standing standing{};
  std::vector<InstallOption> install{};
};
std::vector<StatusRow> status_rows(std::span<const Entry* const> entries, const Gate& gate);

struct StatusFrame {
  std::string workspace_dir{};
  std::string managed_dir{};
  std::string label{};  // of sources
};

// {"workspaceDir","managedSkillsDir","skills":[...]}: of each skill the members of a list, or all.
enum class Detail { list, all };
std::string report_json(std::span<const StatusRow> rows, const StatusFrame& frame,
                        const Config& config, Detail detail);
std::string info_json(const StatusRow& row, std::string_view label, const Config& config);
// {"summary","eligible","disabled","blocked","missingRequirements"}
std::string check_json(std::span<const StatusRow> rows);

// {"bins":[...]}: every program that a skill needs or an installer brings, sorted, each once.
std::string bins_json(std::span<const Entry* const> entries);

// "bins: a, b; anyBins: c; env: D; config: e; os: darwin"; empty: nothing is missing.
std::string missing_text(const Standing& standing);

}  // namespace clawperator::agent_skills
