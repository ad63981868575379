#pragma once
// What other modules add to a server: tools, and whole methods with the capabilities that they
// need.

#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

struct MethodRow {
  std::string_view name;
  // Takes the params of a request and returns its result: the text of an object. `usage` is a fault
  // of the params, every other error an internal one; its members are the fault's data.
  Task<std::string> (*answer)(std::shared_ptr<const Json> params);
  std::size_t most_bytes = 0;  // of its result
};

struct Additions {
  std::span<const ToolRow> tools{};
  std::span<const MethodRow> methods{};
  std::string_view capabilities{};  // further members of the object: "a":{},"b":{}
};

}  // namespace clawperator::mcp
