#pragma once
// The methods of the protocol, for every transport.
//
//   Message --> initialize, server/discover, ping, tools/list   answered from tables
//           --> tools/call --> tool_table --> act::perform --> the device
//           --> methods of Additions

#include "runtime/mcp/additions.hpp"
#include "runtime/mcp/jobs.hpp"
#include "runtime/mcp/message.hpp"

namespace clawperator::mcp {

class Server {
 public:
  // `defaults` must outlive it. The server's caller passes in what belongs to other modules.
  Server(const asio::any_io_executor& executor, const Defaults* defaults,
         const Additions& more = {});

  // The error of an invalid request, which is then not carried out.
  [[nodiscard]] std::optional<Reply> judge(const Message& request) const;

  // The reply to a request. `notify` sends notifications of its progress, one line each, where the
  // client wants them; empty: they cannot be sent.
  asio::awaitable<Reply> answer(Message request, std::function<void(std::string)> notify = {});

  // The bytes that the result of a request may have, where they can be many; else 0.
  [[nodiscard]] std::size_t most_bytes(const Message& request) const;

  // Required before destruction: ends plans whose result no client has requested again.
  asio::awaitable<void> stop() { return jobs_.stop(); }

 private:
  asio::awaitable<Reply> answer_unguarded(Message request, std::function<void(std::string)> notify);
  asio::awaitable<Reply> call_tool(Message request, std::function<void(std::string)> notify);
  static asio::awaitable<Reply> call_method(const MethodRow* row, Message request);
  [[nodiscard]] Reply list_tools(const Message& request) const;
  [[nodiscard]] const ToolRow* find_tool(const Message& request) const;
  [[nodiscard]] const MethodRow* find_method(const Message& request) const;

  const Defaults* defaults_;
  std::vector<ToolRow> tools_;
  std::string list_;  // of them, as JSON
  std::span<const MethodRow> methods_;
  std::string capabilities_;
  Jobs jobs_;
};

}  // namespace clawperator::mcp
