#include "runtime/http/access.hpp"

#include <arpa/inet.h>
#include <sys/random.h>

#include <algorithm>

#include "base/async/name_lookup.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

// The name or address of HOST, HOST:PORT or [ADDRESS]:PORT, in lower case; nullopt for any other
// text.
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

// The bearer token of a header; of several only the first counts.
std::optional<std::string_view> bearer_token(const Request& head) {
  constexpr std::string_view kBearer = "bearer ";
  const std::string* credentials = head.header("authorization");
  if (!credentials || ascii_lower(credentials->substr(0, kBearer.size())) != kBearer) {
    return std::nullopt;
  }
  return trimmed(std::string_view(*credentials).substr(kBearer.size()));
}

// The value of a cookie of that name in "a=1; b=2".
void add_sessions(std::vector<std::string_view>* values, std::string_view cookies) {
  while (!cookies.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    const auto cookie = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    const auto equals = std::min(cookie.find('='), cookie.size());
    if (cookie.substr(0, equals) != kSessionCookie || equals == cookie.size()) continue;
    values->push_back(cookie.substr(equals + 1));
  }
}

bool has_session(const AccessPolicy& policy, const Request& head) {
  return policy.sessions && std::ranges::any_of(session_cookies(head), [&](std::string_view value) {
           return policy.sessions->contains(value);
         });
}

bool is_own_origin(const Request& head, std::string_view origin) {
  const std::string sent = ascii_lower(origin);
  const std::string host = ascii_lower(*head.header("host"));
  return sent == "http://" + host || sent == "https://" + host;
}

bool is_safe_method(const Request& head) { return head.method == "GET" || head.method == "HEAD"; }

Response forbidden_origin(std::string_view message) {
  return error_response(403, "FORBIDDEN_ORIGIN", message);
}

Response unauthorized(std::string_view message) {
  Response response = error_response(401, "UNAUTHORIZED", message);
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Response too_many_guesses(std::chrono::seconds wait) {
  Response response = error_response(429, "TOO_MANY_REQUESTS",
                                     "too many wrong tokens: no token is checked for now");
  response.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return response;
}

// A browser sends an Origin with every method but GET and HEAD. With those two it names the page's
// site in Sec-Fetch-Site; "none" is a navigation by the user.
std::optional<Response> refuse_page(const AccessPolicy& policy, const Request& head) {
  if (allowed_origin(policy, head)) return std::nullopt;
  const auto is_allowed = [&](const std::string& origin) {
    return is_served_origin(policy, origin) &&
           (is_safe_method(head) || is_own_origin(head, origin));
  };
  const auto is_own_site = [](std::string_view site) {
    return site == "same-origin" || site == "none";
  };
  if (every_header(head, "origin", is_allowed) &&
      every_header(head, "sec-fetch-site", is_own_site)) {
    return std::nullopt;
  }
  return forbidden_origin(
      "pages of other origins may not use this server; `serve --allow-origin` names those that "
      "may");
}

constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuv";

}  // namespace

std::vector<std::string_view> session_cookies(const Request& head) {
  std::vector<std::string_view> values;
  for (const auto& [name, value] : head.headers) {
    if (name == "cookie") add_sessions(&values, value);
  }
  return values;
}

// One Origin alone: of several it is not known which page sends the request.
const std::string* allowed_origin(const AccessPolicy& policy, const Request& head) {
  const auto is_origin = [](const auto& header) { return header.first == "origin"; };
  if (std::ranges::count_if(head.headers, is_origin) != 1) return nullptr;
  const std::string* origin = head.header("origin");
  return std::ranges::find(policy.origins, *origin) == policy.origins.end() ? nullptr : origin;
}

// It bears no token, and learns nothing but that the policy names it.
std::optional<Response> preflight(const AccessPolicy& policy, const Request& head) {
  if (head.method != "OPTIONS" || !head.header("access-control-request-method")) {
    return std::nullopt;
  }
  if (!allowed_origin(policy, head)) return std::nullopt;
  Response response{.status = 204};
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE");
  response.headers.emplace_back("Access-Control-Allow-Headers",
                                "Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, "
                                "Mcp-Method, Mcp-Name, traceparent");
  response.headers.emplace_back("Access-Control-Max-Age", "600");
  allow_reading(policy, head, &response);
  return response;
}

void allow_reading(const AccessPolicy& policy, const Request& head, Response* response) {
  if (policy.origins.empty()) return;
  response->headers.emplace_back("Vary", "Origin");
  const std::string* origin = allowed_origin(policy, head);
  if (!origin) return;
  response->headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response->headers.emplace_back(
      "Access-Control-Expose-Headers",
      "X-Tree-Hash, X-Since, X-Screen-Size, X-Warning, ETag, Retry-After, traceparent");
}

bool needs_token(const AccessPolicy& policy, const Request& head) {
  return policy.always_requires_token || !head.peer || !head.peer->is_this_user ||
         !head.peer->is_this_user();
}

std::optional<Response> judge_token(const AccessPolicy& policy, const Request& head,
                                    std::string_view given) {
  const std::string name = head.peer ? head.peer->name : std::string();
  const auto now = Clock::now();
  const auto wait = policy.guesses ? policy.guesses->wait(name, now) : std::chrono::seconds();
  if (wait.count() > 0) return too_many_guesses(wait);
  if (given.empty()) return unauthorized("a token is required");  // no guess
  if (equal_in_constant_time(given, policy.token)) return std::nullopt;
  if (policy.guesses) policy.guesses->note_wrong(name, now);
  return unauthorized("the token is wrong");
}

namespace {

std::optional<Response> refuse_without_token(const AccessPolicy& policy, const Request& head) {
  if (!needs_token(policy, head)) return std::nullopt;
  std::optional<Response> refusal = unauthorized("a bearer token is required");
  if (const auto given = bearer_token(head)) refusal = judge_token(policy, head, *given);
  // The cookie is for pages of this server: a browser may send it for another page of this site.
  const auto is_own = [&](const std::string& origin) { return is_own_origin(head, origin); };
  if (!refusal || !every_header(head, "origin", is_own) || !has_session(policy, head)) {
    return refusal;
  }
  if (is_safe_method(head) || head.header("origin")) return std::nullopt;
  return forbidden_origin("with a session's cookie only pages of this server may change anything");
}

}  // namespace

std::optional<Response> refuse(const AccessPolicy& policy, const Request& head, Entry entry) {
  const std::string* host = head.header("host");
  if (!host || !is_served(policy, *host)) {
    return error_response(403, "FORBIDDEN_HOST", "the Host header does not name this server");
  }
  if (auto refusal = refuse_page(policy, head)) return refusal;
  if (entry == Entry::open) return std::nullopt;
  if (auto refusal = refuse_without_token(policy, head)) return refusal;
  if (entry != Entry::session || !head.header("origin") || has_session(policy, head)) {
    return std::nullopt;
  }
  return error_response(403, "SESSION_REQUIRED",
                        "a page needs a session for this: POST /session begins one");
}

Result<std::string> random_token() {
  std::array<unsigned char, 32> random{};
  if (::getrandom(random.data(), random.size(), 0) != ssize_t{random.size()}) {
    return fail(errc::io, "no token can be made: the system gives no random bytes");
  }
  std::string token;
  for (const unsigned char byte : random) token += kAlphabet[byte & 31U];
  return token;
}

bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  if (secret.empty()) return false;
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at) {
    difference |= static_cast<unsigned char>(given[at] ^ secret[at % secret.size()]);
    __asm__ __volatile__("" : "+r"(difference));  // or the loop might end early
  }
  return difference == 0;
}

Result<std::string> BrowserSessions::begin() {
  TRY(std::string value, random_token());
  if (values_.size() == kMost) values_.pop_front();
  values_.push_back(value);
  return value;
}

// Compares with every value, so that the time does not depend on the match.
bool BrowserSessions::contains(std::string_view value) const {
  bool known = false;
  for (const std::string& each : values_) known |= equal_in_constant_time(value, each);
  return known;
}

void BrowserSessions::end(std::string_view value) {
  std::erase_if(values_,
                [&](const std::string& each) { return equal_in_constant_time(value, each); });
}

}  // namespace clawperator::http
