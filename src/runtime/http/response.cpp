#include "runtime/http/response.hpp"

#include "adbproto/crypto/sha256.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 22> kReasons{{
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Payload Too Large"},
    {417, "Expectation Failed"},
    {423, "Locked"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
}};

// An empty reason is a valid one.
std::string_view reason(int status) {
  const auto found = std::ranges::find(kReasons, status, &std::pair<int, std::string_view>::first);
  return found == kReasons.end() ? std::string_view() : found->second;
}

// A value that came from outside cannot end its line and begin another header.
void add_header(std::string* head, std::string_view name, std::string_view value) {
  const auto start = head->append(name).append(": ").size();
  head->append(value);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  std::replace_if(head->begin() + static_cast<std::ptrdiff_t>(start), head->end(), is_control, ' ');
  head->append("\r\n");
}

// CR, LF and CR LF all end a line of an event stream.
void add_lines(std::string* frame, std::string_view field, std::string_view text) {
  for (;;) {
    const auto line = first_line(text);
    frame->append(field).append(": ").append(line).append("\n");
    text.remove_prefix(line.size());
    if (text.empty()) return;
    text.remove_prefix(text.starts_with("\r\n") ? 2 : 1);
  }
}

}  // namespace

Response error_response(int status, std::string_view code, std::string_view message) {
  const auto error = JsonObject().text("code", code).text("message", message);
  return {.status = status, .body = JsonObject().boolean("ok", false).object("error", error).str()};
}

Response with_etag(const Request& request, Response answer) {
  const std::string tag = '"' + sha256_of(answer.body) + '"';
  answer.headers.emplace_back("ETag", tag);
  answer.headers.emplace_back("Cache-Control", "private, no-cache");
  const std::string* known = request.header("if-none-match");
  if (!known || *known != tag) return answer;
  answer.status = 304;
  answer.body.clear();
  return answer;
}

bool carries_body(const Response& response) {
  return response.status != 204 && response.status != 304;
}

std::string encode_head(const Response& response, std::string_view connection) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head.append(reason(response.status)).append("\r\n");
  if (!response.stream && carries_body(response)) {
    add_header(&head, "Content-Length", std::to_string(response.body.size()));
  }
  if (!response.content_type.empty()) add_header(&head, "Content-Type", response.content_type);
  add_header(&head, "X-Content-Type-Options", "nosniff");
  // No page of another origin shows it, or has it in its memory.
  add_header(&head, "Cross-Origin-Resource-Policy", "same-origin");
  if (!connection.empty()) add_header(&head, "Connection", connection);
  for (const auto& [name, value] : response.headers) add_header(&head, name, value);
  return head + "\r\n";
}

std::string event_frame(std::optional<std::uint64_t> id, std::string_view name,
                        std::string_view data) {
  std::string frame;
  if (id) add_lines(&frame, "id", std::to_string(*id));
  add_lines(&frame, "event", first_line(name));
  add_lines(&frame, "data", data);
  return frame + "\n";
}

std::string comment_frame(std::string_view text) {
  std::string frame;
  add_lines(&frame, "", text);
  return frame + "\n";
}

std::optional<std::uint64_t> last_event_id(const Request& request) {
  const std::string* id = request.header("last-event-id");
  return id ? whole_number<std::uint64_t>(*id) : std::nullopt;
}

}  // namespace clawperator::http
