#pragma once
// Decides which requests are allowed. A page of another site can make a browser send requests here:
// under a name of its own that points to this machine (DNS rebinding), with a form or as a picture.
// Host, Origin and Sec-Fetch-Site give it away. A client that is not proven to be this user shows
// the token. A browser that has shown it once gets a session and its cookie.

#include <deque>

#include "base/error.hpp"
#include "base/prelude.hpp"
#include "runtime/http/guesses.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

// 160 random bits as 32 letters and digits.
Result<std::string> random_token();

// Its time depends on the lengths at most. An empty secret equals nothing.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

// Browsers that have shown the token once and send a cookie from then on: their pages should not
// hold the token, and their EventSource and pictures cannot send it. The cookie is a random value
// of its own.
class BrowserSessions {
 public:
  // Each browser has one; logging in again and again must not fill memory.
  static constexpr std::size_t kMost = 64;

  // The value of a new one; the oldest ends where there are kMost.
  Result<std::string> begin();
  [[nodiscard]] bool contains(std::string_view value) const;
  void end(std::string_view value);

 private:
  std::deque<std::string> values_;
};

inline constexpr std::string_view kSessionCookie = "clawperator_session";

struct AccessPolicy {
  // Beside localhost and the loopback addresses: names and addresses, those of IPv6 without
  // brackets. 0.0.0.0 or :: stands for every address, but for no name: only names are rebound.
  std::vector<std::string> hosts;
  std::vector<std::string> origins{};         // of pages that may read and act, as browsers send it
  std::string token;                          // an empty one never matches
  bool always_requires_token = true;          // also from processes that are proven to be this user
  const BrowserSessions* sessions = nullptr;  // absent: no cookie counts
  Guesses* guesses = nullptr;                 // absent: wrong tokens are not counted
};

// Whether this request must bear the token.
bool needs_token(const AccessPolicy& policy, const Request& head);

// UNAUTHORIZED (401) for a wrong token, TOO_MANY_REQUESTS (429) while the peer's tokens are not
// checked; nothing for the right token.
std::optional<Response> judge_token(const AccessPolicy& policy, const Request& head,
                                    std::string_view given);

// open: the request needs no token. session: as guarded, and a page in a browser also needs a
// session's cookie: what it starts installs programs or stores keys.
enum class Entry { guarded, open, session };

// FORBIDDEN_HOST, FORBIDDEN_ORIGIN (403) or the result of judge_token; nothing where the request
// may pass. A browser's request for a page of another origin never passes: GET and HEAD are judged
// by Sec-Fetch-Site, all others by an Origin that must be this very server, port included. With a
// cookie alone, only GET and HEAD pass without that Origin. SESSION_REQUIRED (403) for a page
// without a session where the entry demands one.
std::optional<Response> refuse(const AccessPolicy& policy, const Request& head,
                               Entry entry = Entry::guarded);

// The Origin of the request, if the policy lets pages of it in.
const std::string* allowed_origin(const AccessPolicy& policy, const Request& head);
// The answer to a page's question whether it may send a request: OPTIONS with
// Access-Control-Request-Method from such an Origin.
std::optional<Response> preflight(const AccessPolicy& policy, const Request& head);
// Lets the page read the answer.
void allow_reading(const AccessPolicy& policy, const Request& head, Response* response);

// The values of the session's cookies; a browser may have several.
std::vector<std::string_view> session_cookies(const Request& head);

}  // namespace clawperator::http
