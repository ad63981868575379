#pragma once
// JSON-RPC 2.0 as the Model Context Protocol uses it: one object a message. Batches are of version
// 2025-03-26 alone. Pure.
//
//   {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{...}}     a request
//   {"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}  a notification
//
// Two eras of the protocol are supported. In the older one a client shakes hands first; since
// 2026-07-28 each request contains its version in `params._meta` and the server keeps no state.

#include <variant>

#include "base/json_document.hpp"

namespace clawperator::mcp {

inline constexpr std::string_view kModern = "2026-07-28";
inline constexpr std::string_view kWithBatches = "2025-03-26";
// Newest first.
std::span<const std::string_view> legacy_versions();
// All of them, the text of an array.
std::string supported_versions();

enum class Era { legacy, modern };

struct Message {
  std::string id;  // JSON text, as it came; empty: a notification, which gets no reply
  std::string method;
  std::shared_ptr<const Json> params;  // an object
  Era era = Era::legacy;
  std::string version{};         // of a modern request; empty: none
  std::string progress_token{};  // JSON text, as it came; empty: none
  std::string cancels{};         // the id of the request that it cancels, as it came; empty: none

  [[nodiscard]] bool is_request() const { return !id.empty(); }
};

// The codes of JSON-RPC and of the protocol.
enum class Fault {
  parse = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  internal = -32603,
  header_mismatch = -32020,
  unsupported_version = -32022,
};

// A reply to the client: `json` has one line, by every reader's rules for line ends; `status` is
// HTTP's.
struct Reply {
  std::string json;
  int status = 200;
};

// `id` is that of the request, empty where there is none; `data` the text of a JSON value, or
// empty.
Reply fault_reply(std::string_view id, Fault fault, std::string_view message, Era era = Era::legacy,
                  std::string_view data = {});
// `result` is the text of a JSON object. A modern reply also contains that it is complete, and the
// server's name.
Reply result_reply(const Message& request, const std::string& result);

// One line of a notification to the client.
std::string notification(std::string_view method, const std::string& params);

struct Ignored {};  // a reply; we send no requests
// A parsed text: a message, or the reply to an invalid one.
using Incoming = std::variant<Message, Reply, Ignored>;

Incoming read_message(std::string_view text);

// A client sends a handful; every reply waits for the slowest call.
inline constexpr std::size_t kMostInBatch = 32;
// Whether it is to be read by read_batch, where the client's version has batches.
bool is_batch(std::string_view text);
// Its messages in their order, or a reply to the whole of it. Handshakes and modern messages are
// refused in a batch.
std::variant<std::vector<Incoming>, Reply> read_batch(std::string_view text);
// One line of all that is not empty; empty where nothing is.
std::string batch_reply(std::span<const std::string> replies);

// The version that a handshake agrees on: the client's, or our newest where we do not support that;
// the client then decides whether it can go on.
std::string agreed_version(const Message& initialize);

// The error of a modern request whose version is none of ours, or which does not contain the
// client's capabilities.
std::optional<Reply> judge_metadata(const Message& request);

// Room for the longest execution (1 MiB) with its escapes.
inline constexpr std::size_t kMaxMessage = std::size_t{4} << 20;

// {"name","version",...}
std::string server_info();

// How an agent uses us, in at most 1500 tokens: instructions of the server, `clawperator guide`.
std::string_view guide();

}  // namespace clawperator::mcp
