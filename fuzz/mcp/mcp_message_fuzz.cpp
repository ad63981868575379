// The input is one line of a client. Invariants: it is a message, a batch of them, an answer, or
// refused by a reply; every reply is one line of JSON, whatever a reader takes for the end of a
// line; a reply has its message's id, spelt as in the input; the arguments of a call of each tool
// are read or refused in words of bounded length, and numbers that were read are within their
// limits.

#include <algorithm>
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

void demand_one_line(const std::string& json) {
  for (const std::string_view end : {"\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xc2\x85",
                                     "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    demand(json.find(end) == std::string::npos);
  }
}

nlohmann::json read_reply(const Reply& reply) {
  demand_one_line(reply.json);
  auto json = nlohmann::json::parse(reply.json, nullptr, false);
  demand(json.is_object() && json["jsonrpc"] == "2.0" && json.contains("id"));
  return json;
}

void try_replies(const Message& message, std::string_view input) {
  const auto id = nlohmann::json::parse(message.id);
  demand(id.is_string() || id.is_number());
  demand(input.contains(message.id));
  const std::string reply = result_reply(message, "{}").json;
  const bool is_plain = std::ranges::all_of(message.id, [](unsigned char c) { return c < 0x80; });
  demand(!is_plain || reply.starts_with(R"({"jsonrpc":"2.0","id":)" + message.id + ","));
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
        const auto number = arguments->whole(property.name);
        demand(!number || (*number >= property.least && *number <= property.most));
      }
      if (property.type == Type::selector) {
        const auto matcher = arguments->selector(property.name);
        demand(!matcher || !*matcher || **matcher != NodeMatcher{});
      }
      const bool is_list = property.type == Type::steps || property.type == Type::calls;
      if (is_list && arguments->has(property.name)) {
        demand(arguments->value(property.name)->is_array());
      }
    }
  }
}

void try_incoming(const Incoming& incoming, std::string_view input) {
  if (const auto* reply = std::get_if<Reply>(&incoming)) {
    demand(read_reply(*reply).contains("error"));
  } else if (const auto* message = std::get_if<Message>(&incoming)) {
    if (message->is_request()) try_replies(*message, input);
    try_arguments(*message);
  }
}

void try_batch(std::string_view input) {
  const auto read = read_batch(input);
  if (const auto* reply = std::get_if<Reply>(&read)) return try_incoming(*reply, input);
  const auto& batch = std::get<std::vector<Incoming>>(read);
  demand(!batch.empty() && batch.size() <= kMostInBatch);
  std::vector<std::string> replies;
  for (const Incoming& incoming : batch) {
    try_incoming(incoming, input);
    if (const auto* reply = std::get_if<Reply>(&incoming)) replies.push_back(reply->json);
  }
  const std::string line = batch_reply(replies);
  demand_one_line(line);
  demand(replies.empty() ? line.empty() : nlohmann::json::parse(line).size() == replies.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try_incoming(read_message(input), input);
  if (is_batch(input)) try_batch(input);
  return 0;
}
