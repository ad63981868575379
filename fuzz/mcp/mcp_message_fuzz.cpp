// The input is one line of a client. Invariants: it is a message, an answer, or refused by a reply
// that is one line of JSON; what a message tells of its id is told back by every reply to it; the
// arguments of a call of each tool are read or refused in words of bounded length.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "runtime/mcp/message.hpp"
#include "runtime/mcp/tool.hpp"

using namespace clawperator;
using namespace clawperator::mcp;

namespace {

void demand(bool holds) {
  if (!holds) __builtin_trap();
}

nlohmann::json read_reply(const Reply& reply) {
  demand(reply.json.find('\n') == std::string::npos);
  auto json = nlohmann::json::parse(reply.json, nullptr, false);
  demand(json.is_object() && json["jsonrpc"] == "2.0" && json.contains("id"));
  return json;
}

void try_replies(const Message& message) {
  const auto id = nlohmann::json::parse(message.id);
  demand(id.is_string() || id.is_number());
  demand(read_reply(result_reply(message, "{}"))["id"] == id);
  demand(read_reply(fault_reply(message.id, Fault::internal, message.method))["id"] == id);
  if (const auto refusal = judge_metadata(message)) {
    const auto json = read_reply(*refusal);
    demand(json["id"] == id && json["error"]["code"].is_number());
  }
}

void try_arguments(const Message& message) {
  const Json* given = find_member(*message.params, "arguments");
  for (const ToolRow& row : tool_table()) {
    const auto arguments = Arguments::read(given, row.properties);
    if (!arguments) {
      demand(arguments.error().message().size() < 1000);
      continue;
    }
    for (const Property& property : row.properties) {
      if (property.type == Type::whole) {
        const auto number = arguments->whole(property.name, 0, 99);
        demand(!number || !*number || (**number >= 0 && **number <= 99));
      }
      if (property.type == Type::selector) {
        const auto matcher = arguments->selector(property.name);
        demand(!matcher || !*matcher || **matcher != NodeMatcher{});
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = read_message({reinterpret_cast<const char*>(data), size});
  if (const auto* reply = std::get_if<Reply>(&read)) {
    demand(read_reply(*reply).contains("error"));
  } else if (const auto* message = std::get_if<Message>(&read)) {
    if (message->is_request()) try_replies(*message);
    try_arguments(*message);
  }
  return 0;
}
