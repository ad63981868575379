#pragma once
// The Model Context Protocol on stdin and stdout: a message a line, and nothing else on stdout.
//
//   stdin --lines--> messages --> mcp::Server, many at a time --replies, progress--> stdout

#include <span>

#include "runtime/mcp/tool.hpp"

namespace clawperator::cli {

// Until stdin ends: what was read by then is answered first. `closed` where nobody reads stdout.
Task<void> serve_mcp_on_stdio(const mcp::Hand* hand, std::span<const mcp::ToolRow> more_tools);

}  // namespace clawperator::cli
