#pragma once
// The errors of an agent skill and of the agent's configuration.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode agent_config_invalid{
    "AGENT_CONFIG_INVALID", 500,
    "The agent's configuration breaks its schema; nothing was done. `details`: path "
    "(of the file), problems."};
inline constexpr ErrorCode agent_skill_not_found{
    "AGENT_SKILL_NOT_FOUND", 404, "There is no agent skill, or no installer of one, of that name."};
inline constexpr ErrorCode agent_skill_invalid{
    "AGENT_SKILL_INVALID", 400,
    "A SKILL.md breaks the rules of AgentSkills. `details.problems` lists the problems."};
inline constexpr ErrorCode agent_install_failed{
    "AGENT_INSTALL_FAILED", 503,
    "A skill's requirement could not be installed.  `details`: stdout, stderr, code."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kAgentSkillErrors[] = {
    &errc::agent_config_invalid, &errc::agent_skill_not_found, &errc::agent_skill_invalid,
    &errc::agent_install_failed};

}  // namespace clawperator
