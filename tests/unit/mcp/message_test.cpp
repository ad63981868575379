#include "runtime/mcp/message.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace clawperator;
using namespace clawperator::mcp;
using nlohmann::json;

namespace {

Message message_of(std::string_view text) { return std::get<Message>(read_message(text)); }

// The reply to what is no message.
json refusal_of(std::string_view text) {
  const auto read = read_message(text);
  REQUIRE(std::holds_alternative<Reply>(read));
  return json::parse(std::get<Reply>(read).json);
}

json judged(std::string_view text) {
  const auto reply = judge_metadata(message_of(text));
  return reply ? json::parse(reply->json) : json();
}

// A request of the newer era, with what `meta` tells of itself.
std::string modern(const json& meta) {
  return json{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}, {"params", {{"_meta", meta}}}}
      .dump();
}

constexpr auto kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr auto kCapabilities = "io.modelcontextprotocol/clientCapabilities";

}  // namespace

TEST_CASE("mcp message: a request, a notification, and an answer that nobody asked for") {
  const Message request = message_of(R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
  CHECK(request.is_request());
  CHECK(request.id == "7");
  CHECK(request.method == "ping");
  CHECK(request.params->is_object());
  CHECK(request.era == Era::legacy);
  CHECK(message_of(R"({"jsonrpc":"2.0","id":"a\"b","method":"ping"})").id == R"("a\"b")");
  CHECK_FALSE(message_of(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").is_request());
  CHECK(std::holds_alternative<Ignored>(read_message(R"({"jsonrpc":"2.0","id":1,"result":{}})")));
  CHECK(std::holds_alternative<Ignored>(read_message(R"({"jsonrpc":"2.0","id":1,"error":{}})")));
}

TEST_CASE("mcp message: what is no message is refused with JSON-RPC's codes") {
  CHECK(refusal_of("")["error"]["code"] == -32700);
  CHECK(refusal_of("{")["error"]["code"] == -32700);
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":1,"id":)")["id"].is_null());
  const auto shapeless = GENERATE(as<std::string>{}, "[]", "1", "null", R"("text")",
                                  R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
  CHECK(refusal_of(shapeless)["error"]["code"] == -32600);
}

TEST_CASE(
    "mcp message: a wrong member is named, and its request is answered where it tells an id") {
  const json version = refusal_of(R"({"jsonrpc":"1.0","id":3,"method":"ping"})");
  CHECK(version["error"]["code"] == -32600);
  CHECK(version["id"] == 3);
  CHECK(refusal_of(R"({"id":3,"method":"ping"})")["id"] == 3);
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":3})")["error"]["code"] == -32600);
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":3,"method":5})")["id"] == 3);
  const json params = refusal_of(R"({"jsonrpc":"2.0","id":3,"method":"ping","params":[1]})");
  CHECK(params["error"]["code"] == -32602);
  CHECK(params["id"] == 3);
  const auto id =
      GENERATE(as<std::string>{}, "null", "1.5", "true", "{}", "[]", "9007199254740994");
  const json bad = refusal_of(R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}");
  CHECK(bad["error"]["code"] == -32600);
  CHECK(bad["id"].is_null());
}

TEST_CASE("mcp message: a request that tells its version is of the newer era") {
  CHECK(message_of(modern({{kVersion, "2026-07-28"}})).version == "2026-07-28");
  CHECK(message_of(modern({{kVersion, "2026-07-28"}})).era == Era::modern);
  CHECK(message_of(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})").era == Era::modern);
  CHECK(message_of(modern({{"progressToken", 1}})).era == Era::legacy);
}

TEST_CASE("mcp message: of the newer era are asked a known version and what the client can do") {
  CHECK(judged(modern({{kVersion, "2026-07-28"}, {kCapabilities, json::object()}})).is_null());
  CHECK(judged(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").is_null());
  const json unknown = judged(modern({{kVersion, "1999-01-01"}, {kCapabilities, json::object()}}));
  CHECK(unknown["error"]["code"] == -32022);
  CHECK(unknown["error"]["data"]["requested"] == "1999-01-01");
  CHECK(unknown["error"]["data"]["supported"][0] == "2026-07-28");
  CHECK(judged(modern({{kVersion, "2026-07-28"}}))["error"]["code"] == -32602);
  CHECK(judged(modern({{kVersion, "2026-07-28"}, {kCapabilities, 1}}))["error"]["code"] == -32602);
  CHECK(judged(modern({{kVersion, 1}, {kCapabilities, json::object()}}))["error"]["code"] ==
        -32602);
}

TEST_CASE("mcp message: a result of the newer era tells that it is complete, and by whom") {
  const std::string text = modern({{kVersion, "2026-07-28"}, {kCapabilities, json::object()}});
  for (const auto* result : {"{}", R"({"tools":[]})"}) {
    const json told = json::parse(result_reply(message_of(text), result).json);
    CHECK(told["result"]["resultType"] == "complete");
    CHECK(told["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "clawperator");
  }
  const Message legacy = message_of(R"({"jsonrpc":"2.0","id":"x","method":"ping"})");
  CHECK(result_reply(legacy, "{}").json == R"({"jsonrpc":"2.0","id":"x","result":{}})");
}

TEST_CASE("mcp message: over HTTP a fault has a status, which differs between the eras") {
  CHECK(fault_reply("1", Fault::parse, "x").status == 400);
  CHECK(fault_reply("1", Fault::invalid_request, "x").status == 400);
  CHECK(fault_reply("1", Fault::unknown_method, "x", Era::legacy).status == 200);
  CHECK(fault_reply("1", Fault::unknown_method, "x", Era::modern).status == 404);
  CHECK(fault_reply("1", Fault::unsupported_version, "x", Era::modern).status == 400);
  CHECK(fault_reply("1", Fault::header_mismatch, "x", Era::modern).status == 400);
}
