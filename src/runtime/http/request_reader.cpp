#include "runtime/http/request_reader.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/http/request.hpp"

namespace clawperator::http {
namespace {

using Step = std::expected<Progress, Response>;

// Nothing shorter than this ends a chunked body ("0\r\n\r\n"). Beast asserts that it never sees
// less of a last chunk.
constexpr std::size_t kShortestEnd = 5;

// A line ends with CR LF, the next one begins with no blank (a folded line), and no other control
// character but the tab is part of it. `before` the first line is a line feed.
bool may_follow(char before, char c) {
  if ((before == '\r') != (c == '\n')) return false;
  if (before == '\n' && (c == ' ' || c == '\t')) return false;
  const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  return !is_control || c == '\r' || c == '\n' || c == '\t';
}

Response bad_request(std::string_view message) {
  return error_response(400, "BAD_REQUEST", message);
}

std::vector<std::string_view> values_of(const ParsedHead& head, std::string_view name) {
  std::vector<std::string_view> values;
  for (const auto& [each, value] : head.headers) {
    if (each == name) values.emplace_back(value);
  }
  return values;
}

Response unknown_transfer_encoding() {
  return error_response(501, "NOT_IMPLEMENTED", "transfer encodings other than chunked");
}

std::optional<Response> check_host(const ParsedHead& head) {
  const auto hosts = values_of(head, "host").size();
  const bool is_right = head.version == 10 ? hosts <= 1 : hosts == 1;
  if (is_right) return std::nullopt;
  return bad_request(std::to_string(hosts) + " Host headers where there must be one");
}

std::optional<Response> check_length(const ParsedHead& head) {
  const auto lengths = values_of(head, "content-length");
  if (lengths.empty()) return std::nullopt;
  if (lengths.size() == 1 && whole_number<std::uint64_t>(lengths.front())) return std::nullopt;
  return bad_request("malformed Content-Length");
}

std::optional<Response> check_encoding(const ParsedHead& head) {
  const auto encodings = values_of(head, "transfer-encoding");
  if (encodings.empty()) return std::nullopt;
  if (head.version == 10) return bad_request("Transfer-Encoding in HTTP/1.0");
  if (!values_of(head, "content-length").empty()) {
    return bad_request("both Content-Length and Transfer-Encoding");
  }
  if (encodings.size() == 1 && ascii_lower(encodings.front()) == "chunked" && head.chunked) {
    return std::nullopt;
  }
  return unknown_transfer_encoding();
}

Response refusal_of(ParseFault fault) {
  if (fault == ParseFault::transfer_encoding) return unknown_transfer_encoding();
  return bad_request("malformed request head");
}

// Checks Host, Content-Length and Transfer-Encoding, which Beast's parser accepts too freely: a
// proxy in front might read the same bytes as other requests (request smuggling).
std::optional<Response> check_framing(const ParsedHead& head) {
  if (auto refusal = check_encoding(head)) return refusal;
  if (auto refusal = check_length(head)) return refusal;
  return check_host(head);
}

// Expect: 100-continue is the only one there is.
std::optional<Response> check_expectation(const ParsedHead& head) {
  // HTTP/1.0 does not have this header, so it is ignored.
  if (head.version == 10) return std::nullopt;
  const auto expectations = values_of(head, "expect");
  const auto is_known = [](std::string_view each) { return ascii_lower(each) == "100-continue"; };
  if (std::ranges::all_of(expectations, is_known)) return std::nullopt;
  return error_response(417, "EXPECTATION_FAILED", "expectations other than 100-continue");
}

Response bad_body() { return bad_request("malformed chunked body"); }

Response too_large(std::size_t limit) {
  return error_response(413, "PAYLOAD_TOO_LARGE",
                        "Payload exceeds " + std::to_string(limit / 1024) + "kb limit");
}

}  // namespace

RequestReader::RequestReader(const Limits& limits, const Peer* peer)
    : limits_(limits), peer_(peer) {}

Step RequestReader::next() {
  switch (stage_) {
    case Stage::head: return read_head();
    case Stage::limit: return Progress::head;
    case Stage::body: return read_body();
    case Stage::complete: break;
  }
  return Progress::complete;
}

Step RequestReader::read_head() {
  TRY(const auto end, find_end_of_head());
  if (!end) return Progress::more;
  auto head = parser_.put_head(as_text(buffer_.view().first(*end)));
  buffer_.consume(*end);
  if (!head) return std::unexpected(refusal_of(head.error()));
  if (auto refusal = take_head(*std::move(head))) return std::unexpected(*std::move(refusal));
  stage_ = Stage::limit;
  return Progress::head;
}

std::expected<std::optional<std::size_t>, Response> RequestReader::find_end_of_head() {
  constexpr std::string_view kLineEnd = "\r\n";
  // Some clients send an empty line after a body.
  while (as_text(buffer_.view()).starts_with(kLineEnd)) {
    buffer_.consume(kLineEnd.size());
    scanned_ = 0;
  }
  const auto text = as_text(buffer_.view());
  for (; scanned_ < text.size(); ++scanned_) {
    if (scanned_ == limits_.header) {
      return std::unexpected(error_response(
          431, "HEADERS_TOO_LARGE",
          "request line and headers exceed " + std::to_string(limits_.header) + " bytes"));
    }
    if (!may_follow(scanned_ == 0 ? '\n' : text[scanned_ - 1], text[scanned_])) {
      return std::unexpected(bad_request("malformed request head"));
    }
    if (text.substr(0, scanned_ + 1).ends_with("\r\n\r\n")) return scanned_ + 1;
  }
  return std::nullopt;
}

std::optional<Response> RequestReader::take_head(ParsedHead head) {
  if (auto refusal = check_framing(head)) return refusal;
  if (auto refusal = check_expectation(head)) return refusal;
  version_ = head.version;
  chunked_ = head.chunked;
  content_length_ = head.content_length;
  keep_alive_ = head.keep_alive;
  request_.method = std::move(head.method);
  request_.headers = std::move(head.headers);
  request_.peer = peer_;
  expects_continue_ = version_ == 11 && request_.header("expect");
  if (!read_target(head.target, &request_)) return bad_request("malformed request target");
  return std::nullopt;
}

void RequestReader::limit_body(std::size_t limit) {
  body_limit_ = limit;
  parser_.limit_body(limit);
  stage_ = parser_.is_done() ? Stage::complete : Stage::body;
}

Step RequestReader::read_body() {
  if (content_length_.value_or(0) > body_limit_) return std::unexpected(too_large(body_limit_));
  while (!parser_.is_done()) {
    // More than the bound is never shown to the parser, so the cuts of the input change nothing.
    const auto whole = as_text(buffer_.view());
    const auto bytes = whole.substr(0, limits_.unconsumed);
    if (bytes.empty() || (chunked_ && bytes.size() < kShortestEnd)) return Progress::more;
    const auto taken = parser_.put_body(bytes);
    if (!taken && taken.error() == ParseFault::body_limit) {
      return std::unexpected(too_large(body_limit_));
    }
    if (!taken) return std::unexpected(bad_body());
    if (*taken == 0 && bytes.size() == limits_.unconsumed) return std::unexpected(bad_body());
    if (*taken == 0) return Progress::more;
    buffer_.consume(*taken);
  }
  request_.body = parser_.take_body();
  stage_ = Stage::complete;
  return Progress::complete;
}

Request RequestReader::take() {
  stage_ = Stage::head;
  scanned_ = 0;
  parser_ = RequestParser();
  return std::exchange(request_, Request());
}

}  // namespace clawperator::http
