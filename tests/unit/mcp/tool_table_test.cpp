#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/mcp/message.hpp"
#include "runtime/mcp/tool.hpp"

using namespace clawperator::mcp;
using nlohmann::json;

TEST_CASE(
    "mcp tools: the list costs a model less than 9.5 KB, and those of skills have the rest of 10") {
  CHECK(tools_json(tool_table()).size() < 9728);
  CHECK(tool_table().size() <= 16);
}

TEST_CASE("mcp tools: the guide costs a model less than 1500 tokens") {
  CHECK(guide().size() < 4 * 1500);
}

TEST_CASE("mcp tools: each has a name of its own, a description and the schema of an object") {
  std::set<std::string> names;
  for (const json& tool : json::parse(tools_json(tool_table()))) {
    CAPTURE(tool["name"]);
    CHECK(names.insert(tool["name"]).second);
    CHECK(tool["name"].get<std::string>().find_first_not_of("abcdefghijklmnopqrstuvwxyz_") ==
          std::string::npos);
    CHECK_FALSE(tool["description"].get<std::string>().empty());
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK_FALSE(tool["inputSchema"]["properties"].empty());
  }
  CHECK(names.size() == tool_table().size());
}

TEST_CASE("mcp tools: what only looks says so, and what may lose something says so") {
  std::set<std::string> read_only, destructive;
  for (const json& tool : json::parse(tools_json(tool_table()))) {
    const json& hints = tool["annotations"];
    // As clients read what is not said.
    const bool reads = hints.value("readOnlyHint", false);
    if (reads) read_only.insert(tool["name"]);
    if (!reads && hints.value("destructiveHint", true)) destructive.insert(tool["name"]);
  }
  CHECK(read_only ==
        std::set<std::string>{"devices", "doctor", "screenshot", "snapshot", "wait_for"});
  CHECK(destructive == std::set<std::string>{"close_app", "execute"});
}

TEST_CASE(
    "mcp tools: every tool that acts has arguments for the screen afterwards, and for the "
    "device") {
  for (const ToolRow& row : tool_table()) {
    if (row.nature == Nature::reads || row.name == "execute") continue;
    CAPTURE(row.name);
    std::set<std::string_view> names;
    for (const Property& property : row.properties) names.insert(property.name);
    CHECK(names.contains("observe"));
    CHECK(names.contains("settle_ms"));
    CHECK(names.contains("device"));
  }
}
