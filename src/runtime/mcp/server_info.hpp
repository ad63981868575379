#pragma once
// Who we are, as clients are told, and what they are told to do first. Pure.

#include <string>
#include <string_view>

namespace clawperator::mcp {

// {"name","version",...}
std::string server_info();

// How an agent uses us, in at most 1500 tokens: instructions of the server, `clawperator guide`.
std::string_view guide();

}  // namespace clawperator::mcp
