// The inspector: a page of files that are embedded in this program (web/dist).

#include "base/json_text.hpp"
#include "runtime/serve/page_files.hpp"
#include "runtime/serve/route_table.hpp"
#include "runtime/serve/routes.hpp"

namespace clawperator::serve {
namespace {

// The page runs its own script alone, and connects to this server alone.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

http::Response file_answer(const http::Request& request, std::string_view type,
                           std::string_view text) {
  http::Response answer{.content_type = std::string(type), .body = std::string(text)};
  answer.headers.emplace_back("Content-Security-Policy", kPolicy);
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  return http::with_etag(request, std::move(answer));
}

Task<http::Response> answer_file(std::string_view type, std::string_view text, Call call) {
  co_return file_answer(call.request, type, text);
}

// Every browser reads gzip. Other programs get it, too: RFC 9110 allows it where they do not forbid
// it.
Task<http::Response> answer_packed(std::string_view type, std::string_view packed, Call call) {
  http::Response answer = file_answer(call.request, type, packed);
  answer.headers.emplace_back("Content-Encoding", "gzip");
  co_return answer;
}

std::string index_json(const Service& service) {
  const std::string routes = list_json(*service.routes, [](const RouteRow& row) {
    return JsonObject()
        .text("method", row.method)
        .text("path", row.path)
        .text("summary", row.summary);
  });
  return JsonObject().text("name", "clawperator").json("routes", routes).str();
}

}  // namespace

bool wants_page(const http::Request& request) {
  const std::string* accepted = request.header("accept");
  return request.path == "/" && accepted && accepted->contains("text/html");
}

Task<http::Response> answer_index(Service* service, Call call) {
  http::Response answer = wants_page(call.request)
                              ? file_answer(call.request, "text/html; charset=utf-8", kPageHtml)
                              : ok_answer(index_json(*service));
  answer.headers.emplace_back("Vary", "Accept");
  co_return answer;
}

Task<http::Response> answer_page_script(Service*, Call call) {
  return answer_packed("text/javascript; charset=utf-8", kPageScriptGzip, std::move(call));
}

Task<http::Response> answer_page_style(Service*, Call call) {
  return answer_packed("text/css; charset=utf-8", kPageStyleGzip, std::move(call));
}

Task<http::Response> answer_page_icon(Service*, Call call) {
  return answer_file("image/svg+xml", kPageIcon, std::move(call));
}

}  // namespace clawperator::serve
