#include "runtime/http/framing.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

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

}  // namespace

Response bad_request(std::string_view message) {
  return error_response(400, "BAD_REQUEST", message);
}

Response refusal_of(ParseFault fault) {
  if (fault == ParseFault::transfer_encoding) return unknown_transfer_encoding();
  return bad_request("malformed request head");
}

std::optional<Response> check_framing(const ParsedHead& head) {
  if (auto refusal = check_encoding(head)) return refusal;
  if (auto refusal = check_length(head)) return refusal;
  return check_host(head);
}

std::optional<Response> check_expectation(const ParsedHead& head) {
  // HTTP/1.0 has none, so what stands there is ignored.
  if (head.version == 10) return std::nullopt;
  const auto expectations = values_of(head, "expect");
  const auto is_known = [](std::string_view each) { return ascii_lower(each) == "100-continue"; };
  if (std::ranges::all_of(expectations, is_known)) return std::nullopt;
  return error_response(417, "EXPECTATION_FAILED", "expectations other than 100-continue");
}

}  // namespace clawperator::http
