#pragma once
// The routes and tools of both kinds of skills, for `clawperator serve` and `clawperator mcp`.

#include "runtime/mcp/additions.hpp"
#include "runtime/serve/route_table.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::phone_skills {

extern const std::string_view kSkillSchemas;  // of both kinds: openapi_schemas.json

// GET /skills, GET /skills/:id and POST /skills/:id/run.
serve::MoreRoutes routes();

// list_skills and run_skill, where this process finds a registry, else none: unusable tools would
// cost a model its attention.
std::span<const mcp::ToolRow> tools();

}  // namespace clawperator::phone_skills

namespace clawperator::agent_skills {

// GET /agent-skills/status and /bins, POST /agent-skills/install and /update, and the event
// clawperator:agent-skills whenever the skills may have changed.
serve::MoreRoutes routes();

// The skills as they are now. Files that were read stay for the next call; one call reads at a
// time. Blocks.
Result<Workspace> current_workspace(const WorkspaceOptions& options = {});

}  // namespace clawperator::agent_skills

namespace clawperator::skills_served {

// The tools above; and the files of both kinds of skills by skills/list, skills/get and
// resources/read (the extension io.modelcontextprotocol/skills).
mcp::Additions additions();

}  // namespace clawperator::skills_served
