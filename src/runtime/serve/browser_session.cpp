#include "runtime/serve/routes.hpp"

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

// Not `Secure`: the server has no TLS. A TLS proxy in front of it can add the attribute.
std::string cookie(std::string_view value, std::string_view more) {
  std::string text(http::kSessionCookie);
  return text.append("=").append(value).append("; Path=/; HttpOnly; SameSite=Strict").append(more);
}

}  // namespace

Task<http::Response> answer_begin_session(Service* service, Call call) {
  CO_TRY(const Json body, read_object_body(call.request));
  const std::string* given = string_value(find_member(body, "token"));
  if (!given) co_return fail(errc::invalid_body, "'token' must be a string");
  const bool is_needed = http::needs_token(*service->access, call.request);
  if (is_needed) {
    if (auto refusal = http::judge_token(*service->access, call.request, *given)) {
      co_return *std::move(refusal);
    }
  }
  http::Response answer = ok_answer(JsonObject().boolean("tokenRequired", is_needed).str());
  answer.headers.emplace_back("Cache-Control", "no-store");
  // Programs that need no token need no session either; a page does for what installs programs.
  if (!is_needed && !call.request.header("origin")) co_return answer;
  CO_TRY(const std::string value, service->browsers.begin());
  answer.headers.emplace_back("Set-Cookie", cookie(value, ""));
  co_return answer;
}

Task<http::Response> answer_end_session(Service* service, Call call) {
  for (const std::string_view value : http::session_cookies(call.request)) {
    service->browsers.end(value);
  }
  http::Response answer = ok_answer("{}");
  answer.headers.emplace_back("Set-Cookie", cookie("", "; Max-Age=0"));
  co_return answer;
}

}  // namespace clawperator::serve
