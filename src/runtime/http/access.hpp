#pragma once
// Who may ask. A page of another site can make a browser send requests here, under a name of its
// own that it lets point to this machine (DNS rebinding) or with a form; Host and Origin tell. A
// browser that showed the token once has a session, and its cookie.

#include <deque>

#include "base/error.hpp"
#include "base/prelude.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

// 160 bits as 32 letters and digits, which nobody guesses.
Result<std::string> random_token();

// How long it takes tells the length at most. An empty secret is nobody's.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

// Who has shown the token once, and is known by a cookie from then on: browsers, whose pages should
// not hold the token and whose EventSource and pictures cannot send it. The cookie is a random
// value of its own.
class BrowserSessions {
 public:
  static constexpr std::size_t kMost = 64;

  // The value of a new one; the oldest ends where there are kMost.
  Result<std::string> begin();
  [[nodiscard]] bool knows(std::string_view value) const;
  void end(std::string_view value);

 private:
  std::deque<std::string> values_;
};

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
