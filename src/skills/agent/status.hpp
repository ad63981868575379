#pragma once
// What there is of skills and what each lacks, as those who list them are told. Pure. No secret of
// the configuration is told: of a value that a skill wants only what is a number, true or false.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skills/agent/gating.hpp"
#include "skills/agent/install_options.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

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

// {"workspaceDir","managedSkillsDir","skills":[...]}: of each what a list shows, or all of it.
enum class Detail { list, all };
std::string report_json(std::span<const StatusRow> rows, const StatusFrame& frame,
                        const Config& config, Detail detail);
std::string info_json(const StatusRow& row, std::string_view label, const Config& config);
// {"summary","eligible","disabled","blocked","missingRequirements"}
std::string check_json(std::span<const StatusRow> rows);

// {"bins":[...]}: every program that a skill needs or an installer brings, sorted, each once.
std::string bins_json(std::span<const Entry* const> entries);

// "bins: a, b; anyBins: c; env: D; config: e; os: darwin"; empty: it lacks nothing.
std::string missing_text(const Standing& standing);

}  // namespace clawperator::agent_skills
