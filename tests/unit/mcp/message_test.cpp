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

// A request of the newer era, with what `meta` contains about the client.
std::string modern(const json& meta) {
  return json{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}, {"params", {{"_meta", meta}}}}
      .dump();
}

constexpr auto kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr auto kCapabilities = "io.modelcontextprotocol/clientCapabilities";

}  // namespace

TEST_CASE("mcp message: a request, a notification, and an answer without a request") {
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

TEST_CASE("mcp message: a wrong member is named, and its request is answered where it has an id") {
  const json version = refusal_of(R"({"jsonrpc":"1.0","id":3,"method":"ping"})");
  CHECK(version["error"]["code"] == -32600);
  CHECK(version["id"] == 3);
  CHECK(refusal_of(R"({"id":3,"method":"ping"})")["id"] == 3);
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":3})")["error"]["code"] == -32600);
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":3,"method":5})")["id"] == 3);
  const json params = refusal_of(R"({"jsonrpc":"2.0","id":3,"method":"ping","params":[1]})");
  CHECK(params["error"]["code"] == -32602);
  CHECK(params["id"] == 3);
  const auto id = GENERATE(as<std::string>{}, "null", "true", "{}", "[]");
  const json bad = refusal_of(R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}");
  CHECK(bad["error"]["code"] == -32600);
  CHECK(bad["id"].is_null());
}

TEST_CASE("mcp message: a request that contains its version is of the newer era") {
  CHECK(message_of(modern({{kVersion, "2026-07-28"}})).version == "2026-07-28");
  CHECK(message_of(modern({{kVersion, "2026-07-28"}})).era == Era::modern);
  CHECK(message_of(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})").era == Era::modern);
  CHECK(message_of(modern({{"progressToken", 1}})).era == Era::legacy);
}

TEST_CASE(
    "mcp message: of the newer era a known version and the client's capabilities are required") {
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

TEST_CASE(
    "mcp message: a result of the newer era contains that it is complete, and the "
    "server's name") {
  const std::string text = modern({{kVersion, "2026-07-28"}, {kCapabilities, json::object()}});
  for (const auto* result : {"{}", R"({"tools":[]})"}) {
    const json reply = json::parse(result_reply(message_of(text), result).json);
    CHECK(reply["result"]["resultType"] == "complete");
    CHECK(reply["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "clawperator");
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

TEST_CASE("mcp message: an id goes back as it came") {
  const auto id = GENERATE(as<std::string>{}, "1.5", "-0", "1.0", "1e2", "99999999999999999999999",
                           R"("")", R"("a\u0062\/\"")", R"("grüß")", R"("[1,\\")");
  const Message message =
      message_of(R"({"id":7,"x":{"id":8},"jsonrpc":"2.0", "id" : )" + id + R"( ,"method":"ping"})");
  CHECK(message.id == id);
  CHECK(result_reply(message, "{}").json == R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  CHECK(fault_reply(message.id, Fault::internal, "x").json.contains(R"("id":)" + id + ","));
  const std::string refused = R"({"id":)" + id + R"(,"method":"ping"})";
  CHECK(std::get<Reply>(read_message(refused)).json.contains(R"("id":)" + id + ","));
}

TEST_CASE("mcp message: other names of an id are read, too") {
  CHECK(message_of(R"({"jsonrpc":"2.0","\u0069d":1.50,"method":"ping"})").id == "1.50");
}

TEST_CASE("mcp message: whom a progress token and a cancellation mean, as it came") {
  const Message call = message_of(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken": 1e3 }}})");
  CHECK(call.progress_token == "1e3");
  CHECK(
      message_of(R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":{}}}})")
          .progress_token.empty());
  const Message cancel = message_of(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999999999999999999999}})");
  CHECK(cancel.cancels == "99999999999999999999999");
  CHECK(message_of(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}})")
            .cancels.empty());
}

TEST_CASE("mcp message: params that are null are none") {
  const Message message = message_of(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})");
  CHECK(message.params->is_object());
  CHECK(message.params->empty());
}

TEST_CASE("mcp message: what goes out is one line for every reader") {
  const std::string ends = "a\xe2\x80\xa8 b\xe2\x80\xa9 c\xc2\x85 \xe2\x80\xa7\xc2\xa0";
  const std::string escaped = "a\\u2028 b\\u2029 c\\u0085 \xe2\x80\xa7\xc2\xa0";
  const Message message = message_of(R"({"jsonrpc":"2.0","id":")" + ends + R"(","method":"ping"})");
  CHECK(result_reply(message, R"({"t":")" + ends + R"("})").json ==
        R"({"jsonrpc":"2.0","id":")" + escaped + R"(","result":{"t":")" + escaped + R"("}})");
  CHECK(json::parse(fault_reply("", Fault::internal, ends).json)["error"]["message"] == ends);
  CHECK(fault_reply("", Fault::internal, ends).json.contains(escaped));
  CHECK(notification("x", R"({"t":")" + ends + R"("})").contains(escaped));
}

TEST_CASE("mcp message: a batch is its messages, each with its own verdict") {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  CHECK(is_batch(" \t[]"));
  CHECK_FALSE(is_batch(ping));
  CHECK_FALSE(is_batch(" "));
  const auto read = read_batch(
      "[" + ping +
      R"(, 7 ,{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2.50,"method":"initialize"},)" +
      modern({{kVersion, "2026-07-28"}}) + R"(,{"jsonrpc":"2.0","id":3,"result":{}}])");
  const auto& batch = std::get<std::vector<Incoming>>(read);
  REQUIRE(batch.size() == 6);
  CHECK(std::get<Message>(batch[0]).id == "1");
  CHECK(json::parse(std::get<Reply>(batch[1]).json)["error"]["code"] == -32600);
  CHECK_FALSE(std::get<Message>(batch[2]).is_request());
  CHECK(std::get<Reply>(batch[3]).json.contains(R"("id":2.50,)"));
  CHECK(json::parse(std::get<Reply>(batch[4]).json)["error"]["code"] == -32600);
  CHECK(std::holds_alternative<Ignored>(batch[5]));
}

TEST_CASE("mcp message: a batch is bounded, and none that is no JSON") {
  const auto refused = [](const std::string& text) {
    const json reply = json::parse(std::get<Reply>(read_batch(text)).json);
    CHECK(reply["id"].is_null());
    return reply["error"]["code"].get<int>();
  };
  const auto of = [](std::size_t size) {
    std::string list = "[1";
    for (std::size_t i = 1; i < size; ++i) list += ",1";
    return list + "]";
  };
  CHECK(refused("[]") == -32600);
  CHECK(refused(of(kMostInBatch + 1)) == -32600);
  CHECK(std::get<std::vector<Incoming>>(read_batch(of(kMostInBatch))).size() == kMostInBatch);
  CHECK(refused("[1") == -32700);
}

TEST_CASE("mcp message: the replies of a batch are one line, or nothing") {
  CHECK(batch_reply({}).empty());
  CHECK(batch_reply(std::vector<std::string>{"", ""}).empty());
  CHECK(batch_reply(std::vector<std::string>{"", "{}", "", R"({"a":1})"}) == R"([{},{"a":1}])");
}

TEST_CASE("mcp message: a handshake agrees on the client's version, or on our newest") {
  const auto agreed = [](const std::string& params) {
    return agreed_version(
        message_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)" + params + "}"));
  };
  CHECK(agreed(R"({"protocolVersion":"2025-03-26"})") == kWithBatches);
  CHECK(agreed(R"({"protocolVersion":"1999-01-01"})") == legacy_versions().front());
  CHECK(agreed("null") == legacy_versions().front());
}
