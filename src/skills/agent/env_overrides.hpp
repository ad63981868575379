#pragma once
// The variables that the configuration gives to a run of an agent. Pure.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skills/agent/config.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

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

// `strict`: what could change which programs run (LD_PRELOAD, PATH, NODE_OPTIONS, ...), and secrets
// that the skill does not declare, are refused; names and keys are trimmed. `as_2026_01`: all of it
// is taken as it stands, as the host of January 2026 does.
enum class EnvRules { strict, as_2026_01 };

// Of the skills in their order: the first that gives a name counts, and what the environment has,
// and is not empty, stays. `env` of the configuration beats its `apiKey`.
EnvPlan plan_env(std::span<const Entry* const> entries, const Config& config,
                 const std::function<std::optional<std::string>(const std::string&)>& variable,
                 EnvRules rules);

}  // namespace clawperator::agent_skills
