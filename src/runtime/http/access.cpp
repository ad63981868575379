#include "runtime/http/access.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

// The name or address of HOST, HOST:PORT or [ADDRESS]:PORT, in lower case; nullopt where it is
// none of them.
std::optional<std::string> host_name(std::string_view authority) {
  const bool is_bracketed = authority.starts_with('[');
  const auto end = is_bracketed ? authority.find(']') : authority.find(':');
  if (is_bracketed && end == std::string_view::npos) return std::nullopt;
  const auto name = is_bracketed ? authority.substr(1, end - 1) : authority.substr(0, end);
  authority.remove_prefix(std::min(name.size() + (is_bracketed ? 2 : 0), authority.size()));
  const bool has_port = authority.starts_with(':');
  if (has_port && !whole_number<std::uint16_t>(authority.substr(1))) return std::nullopt;
  if (name.empty() || (!has_port && !authority.empty())) return std::nullopt;
  in6_addr address{};
  if (is_bracketed && ::inet_pton(AF_INET6, std::string(name).c_str(), &address) != 1) {
    return std::nullopt;
  }
  return ascii_lower(name);
}

bool is_ipv4(const std::string& name, in_addr* address) {
  return ::inet_pton(AF_INET, name.c_str(), address) == 1;
}

bool is_address(const std::string& name) {
  in_addr four{};
  return is_ipv4(name, &four) || name.contains(':');
}

bool is_loopback(const std::string& name) {
  in_addr four{};
  if (is_ipv4(name, &four)) return name.starts_with("127.");
  in6_addr six{};
  if (::inet_pton(AF_INET6, name.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  return name == "localhost";
}

bool is_served(const AccessPolicy& policy, std::string_view authority) {
  const auto name = host_name(authority);
  if (!name) return false;
  return is_loopback(*name) || std::ranges::any_of(policy.hosts, [&](const std::string& host) {
           const bool is_any = host == "0.0.0.0" || host == "::";
           return is_any ? is_address(*name) : ascii_lower(host) == *name;
         });
}

bool is_served_origin(const AccessPolicy& policy, std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return is_served(policy, origin.substr(scheme.size()));
  }
  return false;
}

template <class Check>
bool every_header(const Request& head, std::string_view name, Check check) {
  return std::ranges::all_of(head.headers, [&](const auto& header) {
    return header.first != name || check(header.second);
  });
}

// How long it takes tells the length at most. Requires a secret.
bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at) {
    difference |= static_cast<unsigned char>(given[at] ^ secret[at % secret.size()]);
    __asm__ __volatile__("" : "+r"(difference));  // or the loop might end early
  }
  return difference == 0;
}

bool is_bearer(std::string_view credentials, std::string_view token) {
  constexpr std::string_view kBearer = "bearer ";
  return ascii_lower(credentials.substr(0, kBearer.size())) == kBearer &&
         equal_in_constant_time(trimmed(credentials.substr(kBearer.size())), token);
}

bool has_session(std::string_view cookies, std::string_view token) {
  while (!cookies.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    const auto cookie = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    const auto equals = std::min(cookie.find('='), cookie.size());
    if (cookie.substr(0, equals) == kSessionCookie && equals < cookie.size() &&
        equal_in_constant_time(cookie.substr(equals + 1), token)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool has_token(const Request& head, std::string_view token) {
  return !token.empty() && std::ranges::any_of(head.headers, [token](const auto& header) {
    const auto& [name, value] = header;
    return name == "authorization" ? is_bearer(value, token)
                                   : name == "cookie" && has_session(value, token);
  });
}

std::optional<Response> refuse(const AccessPolicy& policy, const Request& head) {
  const std::string* host = head.header("host");
  if (!host || !is_served(policy, *host)) {
    return error_response(403, "FORBIDDEN_HOST", "this server is not asked under that name");
  }
  const auto is_own = [&](const std::string& origin) { return is_served_origin(policy, origin); };
  if (!every_header(head, "origin", is_own)) {
    return error_response(403, "FORBIDDEN_ORIGIN", "pages of other sites may not ask this server");
  }
  if (policy.token.empty() || has_token(head, policy.token)) return std::nullopt;
  Response response = error_response(401, "UNAUTHORIZED", "a bearer token is required");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace clawperator::http
