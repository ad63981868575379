#include "runtime/mcp/tool.hpp"

#include <algorithm>

#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::mcp {

std::chrono::milliseconds Call::time_left() const {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - adbproto::Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

ToolAnswer text_answer(std::string text) {
  return {.content = {JsonObject().text("type", "text").text("text", text).str()}};
}

ToolAnswer error_answer(const Error& error) {
  const std::string object = R"({"ok":false,)" + to_json(error).substr(1);
  ToolAnswer answer = text_answer(object);
  answer.is_error = true;
  answer.code = object;
  return answer;
}

}  // namespace clawperator::mcp
