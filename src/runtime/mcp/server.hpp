#pragma once
// The methods of the protocol, for every transport.
//
//   Message --> initialize, server/discover, ping, tools/list   answered from tables
//           --> tools/call --> tool_table --> act::perform --> the device

#include "runtime/mcp/jobs.hpp"
#include "runtime/mcp/message.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

class Server {
 public:
  // `defaults` must outlive it. `more_tools` belong to other modules; the server's caller passes
  // them in.
  Server(const asio::any_io_executor& executor, const Defaults* defaults,
         std::span<const ToolRow> more_tools = {});

  // The error of an invalid request, which is then not carried out.
  [[nodiscard]] std::optional<Reply> judge(const Message& request) const;

  // The reply to a request. `notify` sends notifications of its progress, one line each, where the
  // client wants them; empty: they cannot be sent.
  asio::awaitable<Reply> answer(Message request, std::function<void(std::string)> notify = {});

  // Required before destruction: ends plans whose result no client has requested again.
  asio::awaitable<void> stop() { return jobs_.stop(); }

 private:
  asio::awaitable<Reply> answer_unguarded(Message request, std::function<void(std::string)> notify);
  asio::awaitable<Reply> call_tool(Message request, std::function<void(std::string)> notify);
  [[nodiscard]] Reply list_tools(const Message& request) const;
  [[nodiscard]] const ToolRow* find_tool(const Message& request) const;

  const Defaults* defaults_;
  std::vector<ToolRow> tools_;
  std::string list_;  // of them, as JSON
  Jobs jobs_;
};

}  // namespace clawperator::mcp
