#pragma once
// The Model Context Protocol on stdin and stdout: a message a line, and nothing else on stdout.
//
//   stdin --lines--> messages --> mcp::Server, many at a time --replies, progress--> stdout

#include "runtime/mcp/hand.hpp"

namespace clawperator::cli {

// Until stdin ends: what was read by then is answered first. `closed` where nobody reads stdout.
Task<void> serve_mcp_on_stdio(const mcp::Hand* hand);

}  // namespace clawperator::cli
