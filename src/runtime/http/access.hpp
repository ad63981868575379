#pragma once
// Who may ask. A page of another site can make a browser send requests here, under a name of its
// own that it lets point to this machine (DNS rebinding) or with a form; Host and Origin tell.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/browser_sessions.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

inline constexpr std::string_view kSessionCookie = "clawperator_session";

struct AccessPolicy {
  // Beside localhost and the loopback addresses: names and addresses, those of IPv6 without
  // brackets. 0.0.0.0 or :: stands for every address, but for no name: only names are rebound.
  std::vector<std::string> hosts;
  std::string token;                          // empty: none is asked for
  const BrowserSessions* sessions = nullptr;  // absent: no cookie counts
};

// open: also for those who have no token yet.
enum class Entry { guarded, open };

// FORBIDDEN_HOST, FORBIDDEN_ORIGIN (403) or UNAUTHORIZED (401); nothing where the request may pass:
// the token comes as a bearer token, or a session of a browser as its cookie. By a cookie alone
// nothing but GET and HEAD passes whose Origin is not this very server: cookies know no ports, so
// that the page of another server on this machine would have it sent, too.
std::optional<Response> refuse(const AccessPolicy& policy, const Request& head,
                               Entry entry = Entry::guarded);

Response unauthorized(std::string_view message);

// The values of the session's cookies; a browser may have several.
std::vector<std::string_view> session_cookies(const Request& head);

}  // namespace clawperator::http
