#pragma once
// The tools list_skills and run_skill of `clawperator mcp` and POST /mcp.

#include <span>

#include "runtime/mcp/tool.hpp"

namespace clawperator::skills {

// Where this process finds a registry, else none: what is not there costs a model nothing.
std::span<const mcp::ToolRow> tools_where_skills_are();

}  // namespace clawperator::skills
