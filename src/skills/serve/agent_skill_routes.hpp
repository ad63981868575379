#pragma once
// What `clawperator serve` is handed of agent skills.

#include "runtime/serve/route_table.hpp"

namespace clawperator::agent_skills {

// GET /agent-skills/status and /bins, POST /agent-skills/install and /update, and the event
// clawperator:agent-skills whenever the skills may have changed.
serve::MoreRoutes agent_skill_routes();

}  // namespace clawperator::agent_skills
