#pragma once
// A login by the user's browser: the hub's page sends the browser back to an address of this
// computer, with a token behind the '#', and our page there passes it on.
//
//   GET  /callback    our page
//   POST /token       {"token", "registry", "state"} -> {"ok":true}

#include "base/async/task.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

struct BrowserLogin {
  std::string label = "CLI token";  // the token's name in the hub's list
  bool opens_browser = true;
  std::function<void(const std::string& url)> on_url{};
  std::chrono::milliseconds limit = std::chrono::minutes(5);
};

// Returns the token. hub_not_logged_in where the browser returns the answer to another login or the
// token of another registry, deadline_exceeded, cancelled.
Task<std::string> token_by_browser(Places places, BrowserLogin login);

// SITE/cli/auth?redirect_uri=...&label_b64=...&state=...
std::string login_url(const std::string& auth_base, std::uint16_t port, const std::string& label,
                      const std::string& state);

}  // namespace clawperator::hub
