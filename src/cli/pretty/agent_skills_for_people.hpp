#pragma once
// Agent skills in a terminal, in the layout of the agent's host.

#include <span>
#include <string>
#include <string_view>

#include "skills/agent/status.hpp"

namespace clawperator::cli {

std::string agent_list_for_people(std::span<const agent_skills::StatusRow> rows,
                                  std::string_view label, bool only_eligible, bool with_missing);
std::string agent_info_for_people(const agent_skills::StatusRow& row, std::string_view label);
std::string agent_check_for_people(std::span<const agent_skills::StatusRow> rows);

}  // namespace clawperator::cli
