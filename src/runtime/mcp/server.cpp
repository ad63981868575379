#include "runtime/mcp/server.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/async/memory_budget.hpp"
#include "base/async/signal.hpp"
#include "base/json_text.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/mcp/as_meant.hpp"
#include "runtime/mcp/message.hpp"

namespace clawperator::mcp {
namespace {

constexpr std::int64_t kListLivesMs = 3'600'000;

std::string greeting(const Message& request, std::string_view capabilities) {
  return JsonObject()
      .text("protocolVersion", agreed_version(request))
      .json("capabilities", capabilities)
      .json("serverInfo", server_info())
      .text("instructions", guide())
      .str();
}

JsonObject& add_lifetime(JsonObject& object) {
  return object.number("ttlMs", kListLivesMs).text("cacheScope", "public");
}

std::string discovery(std::string_view capabilities) {
  JsonObject object;
  object.json("supportedVersions", supported_versions()).json("capabilities", capabilities);
  object.text("instructions", guide());
  return add_lifetime(object).str();
}

std::string result_of(const ToolAnswer& answer) {
  std::vector<std::string> content{
      JsonObject().text("type", "text").text("text", answer.text).str()};
  if (!answer.picture.empty()) content.push_back(answer.picture);
  JsonObject result;
  result.json("content", list_json(content, std::identity{}));
  if (answer.is_error) result.boolean("isError", true);
  return result.str();
}

// A client that left the device open knows which one it was by the answer before, where `answered`
// has that: then it is not named again.
void name_device(ToolAnswer& answer, bool may_leave_out, std::string* answered) {
  constexpr std::string_view kDone = R"({"ok":true)";
  const bool is_known = answered && std::exchange(*answered, answer.device) == answer.device;
  if (answer.device.empty() || (is_known && may_leave_out)) return;
  if (!answer.text.starts_with(kDone)) return;  // a snapshot's text names it
  answer.text.insert(kDone.size(), ",\"device\":" + quote_json(answer.device));
}

// Many clients at once must not fill the memory. A transport counts what it sends.
Task<std::string> result_of(const MethodRow* row, std::shared_ptr<const Json> params) {
  adbproto::MemoryShare memory(co_await asio::this_coro::executor);
  CO_TRY_VOID(memory.take(row->most_bytes));
  co_return co_await row->answer(std::move(params));
}

// Sends the device's steps as notifications of one request, until `is_answered` is set.
std::function<void(const Stage&)> progress_of(const Message& request,
                                              std::function<void(std::string)> notify,
                                              std::shared_ptr<const bool> is_answered) {
  if (!notify || request.progress_token.empty()) return {};
  const auto count = std::make_shared<std::int64_t>(0);
  return [notify = std::move(notify), count, token = request.progress_token,
          is_answered = std::move(is_answered)](const Stage& stage) {
    if (*is_answered) return;
    notify(notification(
        "notifications/progress",
        JsonObject()
            .json("progressToken", token)
            .number("progress", ++*count)
            .text("message", std::string(stage.operation) + ": " + std::string(stage.name))
            .str()));
  };
}

}  // namespace

Server::Server(const asio::any_io_executor& executor, const Defaults* defaults,
               const Additions& more)
    : defaults_(defaults),
      tools_(tool_table().begin(), tool_table().end()),
      methods_(more.methods),
      capabilities_(R"({"tools":{})"),
      jobs_(executor) {
  tools_.insert(tools_.end(), more.tools.begin(), more.tools.end());
  if (!more.capabilities.empty()) capabilities_.append(",").append(more.capabilities);
  capabilities_ += '}';
  list_ = tools_json(tools_);
}

const ToolRow* Server::find_tool(const Message& request) const {
  const std::string* name = string_value(find_member(*request.params, "name"));
  const auto found = std::ranges::find(tools_, name ? *name : "", &ToolRow::name);
  return found == tools_.end() ? nullptr : &*found;
}

const MethodRow* Server::find_method(const Message& request) const {
  const auto found = std::ranges::find(methods_, request.method, &MethodRow::name);
  return found == methods_.end() ? nullptr : &*found;
}

std::size_t Server::most_bytes(const Message& request) const {
  const MethodRow* row = find_method(request);
  return row ? row->most_bytes : 0;
}

asio::awaitable<Reply> Server::call_method(const MethodRow* row, Message request) {
  const auto result = co_await result_of(row, request.params);
  if (result) co_return result_reply(request, *result);
  const Error& error = result.error();
  co_return fault_reply(request.id,
                        error.code() == errc::usage ? Fault::invalid_params : Fault::internal,
                        error.message(), request.era, error.members());
}

Reply Server::list_tools(const Message& request) const {
  const Json* cursor = find_member(*request.params, "cursor");
  if (cursor && !cursor->is_null()) {
    return fault_reply(request.id, Fault::invalid_params, "there is only one page", request.era);
  }
  JsonObject object;
  object.json("tools", list_);
  if (request.era == Era::modern) add_lifetime(object);
  return result_reply(request, object.str());
}

std::optional<Reply> Server::judge(const Message& request) const {
  if (auto refusal = judge_metadata(request)) return refusal;
  if (request.method != "tools/call") return std::nullopt;
  if (!find_tool(request)) {
    const std::string* name = string_value(find_member(*request.params, "name"));
    const std::string why =
        name ? "there is no tool '" + name->substr(0, 64) + "'" : "name is missing";
    return fault_reply(request.id, Fault::invalid_params, why, request.era);
  }
  const Json* given = find_member(*request.params, "arguments");
  const Json meant = given ? read_text(*given) : Json();
  if (meant.is_object() || meant.is_null()) return std::nullopt;
  return fault_reply(request.id, Fault::invalid_params, "arguments must be an object", request.era);
}

asio::awaitable<Reply> Server::call_tool(Message request, std::function<void(std::string)> notify) {
  const ToolRow* row = find_tool(request);
  const Json* given = find_member(*request.params, "arguments");
  auto arguments = Arguments::read(given, row->properties);
  if (!arguments) co_return result_reply(request, result_of(error_answer(arguments.error())));
  const auto is_answered = std::make_shared<bool>(false);
  Call call{.defaults = defaults_,
            .jobs = &jobs_,
            .arguments = *std::move(arguments),
            .on_stage = progress_of(request, std::move(notify), is_answered),
            .end = adbproto::Clock::now() + kLongestAnswer};
  const bool names_device = call.arguments.has("device");
  auto answer = co_await row->run(std::move(call));
  *is_answered = true;
  if (!answer) answer = error_answer(answer.error());
  name_device(*answer, !names_device, defaults_->answered.get());
  co_return result_reply(request, result_of(*answer));
}

// An unexpected exception becomes a reply, because the client waits for one. A cancellation comes
// as an exception, too, and is rethrown.
asio::awaitable<Reply> Server::answer(Message request, std::function<void(std::string)> notify) {
  std::exception_ptr thrown;
  try {
    co_return co_await answer_unguarded(request, std::move(notify));
  } catch (const std::exception&) {
    thrown = std::current_exception();
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  if (adbproto::is_cancelled(state)) std::rethrow_exception(thrown);
  co_return fault_reply(request.id, Fault::internal, "internal error", request.era);
}

asio::awaitable<Reply> Server::answer_unguarded(Message request,
                                                std::function<void(std::string)> notify) {
  if (auto refusal = judge(request)) co_return *std::move(refusal);
  const bool is_legacy = request.era == Era::legacy;
  if (request.method == "tools/call") co_return co_await call_tool(request, std::move(notify));
  if (request.method == "tools/list") co_return list_tools(request);
  if (is_legacy && request.method == "initialize")
    co_return result_reply(request, greeting(request, capabilities_));
  if (is_legacy && request.method == "ping") co_return result_reply(request, "{}");
  if (!is_legacy && request.method == "server/discover")
    co_return result_reply(request, discovery(capabilities_));
  if (const MethodRow* row = find_method(request)) co_return co_await call_method(row, request);
  co_return fault_reply(request.id, Fault::unknown_method,
                        "unknown method " + request.method.substr(0, 64), request.era);
}

}  // namespace clawperator::mcp
