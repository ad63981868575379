#pragma once
// GET /agent-skills/status and /bins, POST /agent-skills/install and /update of `clawperator
// serve`, and the event clawperator:agent-skills whenever the skills may have changed.

#include "runtime/serve/route_table.hpp"

namespace clawperator::agent_skills {

serve::MoreRoutes agent_skill_routes();

}  // namespace clawperator::agent_skills
