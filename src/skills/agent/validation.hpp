#pragma once
// What the AgentSkills specification asks of a SKILL.md, beyond what loading one needs. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace clawperator::agent_skills {

// What is wrong with the SKILL.md of a folder of that name, in whole phrases; nothing: it is as
// agentskills.io has it.
std::vector<std::string> broken_rules(std::string_view file, std::string_view folder_name);

// What deserves a word where the skill is used all the same.
std::vector<std::string> advice_of(std::string_view file);

}  // namespace clawperator::agent_skills
