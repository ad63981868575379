#pragma once
// Who may ask. A page of another site can make a browser send requests here, under a name of its
// own that it lets point to this machine (DNS rebinding) or with a form; Host and Origin tell.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

inline constexpr std::string_view kSessionCookie = "clawperator_session";

struct AccessPolicy {
  // Beside localhost and the loopback addresses: names and addresses, those of IPv6 without
  // brackets. 0.0.0.0 or :: stands for every address, but for no name: only names are rebound.
  std::vector<std::string> hosts;
  std::string token;  // empty: none is asked for
};

// FORBIDDEN_HOST, FORBIDDEN_ORIGIN (403) or UNAUTHORIZED (401); nothing where the request may pass.
std::optional<Response> refuse(const AccessPolicy& policy, const Request& head);

// As a bearer token or in the session's cookie; both are compared in constant time. An empty
// token is nobody's.
bool has_token(const Request& head, std::string_view token);

}  // namespace clawperator::http
