#pragma once
// What `clawperator serve` and `clawperator mcp` are handed: routes and tools.

#include "runtime/mcp/tool.hpp"
#include "runtime/serve/route_table.hpp"

namespace clawperator::phone_skills {

// GET /skills, GET /skills/:id and POST /skills/:id/run.
serve::MoreRoutes skill_routes();

// list_skills and run_skill, where this process finds a registry, else none: what is not there
// costs a model nothing.
std::span<const mcp::ToolRow> tools_where_skills_are();

}  // namespace clawperator::phone_skills
