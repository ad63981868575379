#include "runtime/serve/routes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/wire/base64.hpp"
#include "base/async/memory_budget.hpp"
#include "base/text.hpp"
#include "runtime/mcp/message.hpp"
#include "runtime/mcp/server.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

http::Response response_of(mcp::Reply reply) {
  return {.status = reply.status, .body = std::move(reply.json)};
}

// A header's value, decoded where it is Base64: text beyond ASCII must be.
std::optional<std::string> header_text(const http::Request& request, std::string_view name) {
  const std::string* value = request.header(name);
  if (!value) return std::nullopt;
  const std::string_view text = trimmed(*value);
  constexpr std::string_view kStart = "=?base64?", kEnd = "?=";
  if (!text.starts_with(kStart) || !text.ends_with(kEnd) || text.size() < kStart.size() + 2) {
    return std::string(text);
  }
  const auto bytes = adbproto::decode_base64(
      text.substr(kStart.size(), text.size() - kStart.size() - kEnd.size()));
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::optional<mcp::Reply> mismatch(const mcp::Message& message, std::string_view header) {
  return mcp::fault_reply(message.id, mcp::Fault::header_mismatch,
                          "the header " + std::string(header) + " must equal the value in the body",
                          mcp::Era::modern);
}

// Since 2026-07-28 headers repeat parts of the body, for proxies that do not read the body.
std::optional<mcp::Reply> judge_headers(const http::Request& request, const mcp::Message& message) {
  if (header_text(request, "mcp-protocol-version") != message.version) {
    return mismatch(message, "MCP-Protocol-Version");
  }
  if (header_text(request, "mcp-method") != message.method) return mismatch(message, "Mcp-Method");
  const bool is_reading = message.method == "resources/read";
  if (message.method != "tools/call" && !is_reading) return std::nullopt;
  const std::string* name = string_value(find_member(*message.params, is_reading ? "uri" : "name"));
  if (name && header_text(request, "mcp-name") != *name) return mismatch(message, "Mcp-Name");
  return std::nullopt;
}

// For a client of the older era: a version that we support, or none.
std::optional<mcp::Reply> judge_version(const http::Request& request, const mcp::Message& message) {
  const auto version = header_text(request, "mcp-protocol-version");
  if (!version) return std::nullopt;
  if (*version == mcp::kModern) {
    return mcp::fault_reply(message.id, mcp::Fault::invalid_params,
                            "params._meta must contain the version that the header names",
                            mcp::Era::modern);
  }
  const auto versions = mcp::legacy_versions();
  if (std::ranges::find(versions, *version) != versions.end()) return std::nullopt;
  mcp::Reply reply = mcp::fault_reply(message.id, mcp::Fault::invalid_request,
                                      "unsupported protocol version " + version->substr(0, 64));
  reply.status = 400;
  return reply;
}

std::optional<mcp::Reply> judge(const mcp::Server& tools, const http::Request& request,
                                const mcp::Message& message) {
  if (message.era == mcp::Era::legacy) return judge_version(request, message);
  // The body's version comes first: the headers must repeat it.
  auto refusal =
      message.version.empty() ? mcp::judge_metadata(message) : judge_headers(request, message);
  return refusal ? refusal : tools.judge(message);
}

Task<void> write_answer(Service* service, mcp::Message request, http::BodyWriter* writer) {
  const mcp::Reply reply = co_await service->tools->answer(std::move(request));
  co_return co_await writer->write(reply.json);
}

// Of the newer era, whose clients cancel a call by leaving.
http::Response while_it_is_read(Service* service, mcp::Message request) {
  http::Response response{.outlasts_stop = true};
  response.stream = [service, request = std::move(request)](http::BodyWriter* writer) {
    return write_answer(service, request, writer);
  };
  return response;
}

http::Response accepted() { return {.status = 202, .content_type = "text/plain"}; }

// A client of the version with batches sends no version header; the header is newer.
bool may_have_batches(const http::Request& request) {
  return header_text(request, "mcp-protocol-version").value_or(std::string(mcp::kWithBatches)) ==
         mcp::kWithBatches;
}

Task<http::Response> answer_batch(Service* service, std::string text) {
  auto read = mcp::read_batch(text);
  if (auto* reply = std::get_if<mcp::Reply>(&read)) co_return response_of(std::move(*reply));
  std::vector<std::string> replies;
  std::size_t bytes = 0;
  adbproto::MemoryShare memory(co_await asio::this_coro::executor);
  for (mcp::Incoming& incoming : std::get<std::vector<mcp::Incoming>>(read)) {
    if (auto* reply = std::get_if<mcp::Reply>(&incoming)) replies.push_back(std::move(reply->json));
    auto* message = std::get_if<mcp::Message>(&incoming);
    if (!message || !message->is_request()) continue;
    replies.push_back((co_await service->tools->answer(std::move(*message))).json);
    memory.count(bytes += replies.back().size());
  }
  if (replies.empty()) co_return accepted();
  co_return response_of({.json = mcp::batch_reply(replies)});
}

}  // namespace

Task<http::Response> answer_mcp(Service* service, Call call) {
  if (!is_json(call.request)) {
    co_return response_of(
        mcp::fault_reply("", mcp::Fault::parse, "the body must be application/json"));
  }
  if (mcp::is_batch(call.request.body) && may_have_batches(call.request)) {
    co_return co_await answer_batch(service, call.request.body);
  }
  auto read = mcp::read_message(call.request.body);
  if (auto* reply = std::get_if<mcp::Reply>(&read)) co_return response_of(std::move(*reply));
  auto* message = std::get_if<mcp::Message>(&read);
  if (!message || !message->is_request()) co_return accepted();
  if (auto refusal = judge(*service->tools, call.request, *message))
    co_return response_of(*std::move(refusal));
  if (message->era == mcp::Era::modern && message->method == "tools/call") {
    co_return while_it_is_read(service, std::move(*message));
  }
  co_return response_of(co_await service->tools->answer(std::move(*message)));
}

}  // namespace clawperator::serve
