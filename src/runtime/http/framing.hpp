#pragma once
// What a server must not take from a peer, or a proxy before it might read the same bytes as other
// requests (request smuggling), and Beast's parser lets pass.

#include <optional>
#include <string_view>

#include "runtime/http/request_parser.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

Response bad_request(std::string_view message);

Response refusal_of(ParseFault fault);

// Host, Content-Length and Transfer-Encoding.
std::optional<Response> check_framing(const ParsedHead& head);

// Expect: 100-continue is the only one there is.
std::optional<Response> check_expectation(const ParsedHead& head);

}  // namespace clawperator::http
