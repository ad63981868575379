#pragma once
// Which hub is asked, and as whom.

#include <stop_token>
#include <string>

#include "skills/hub/client.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

struct Registry {
  std::string url{};
  std::string auth_base{};  // of the pages for people, for a login
  bool by_site = false;     // the site's document names it
};

// --registry or the variable, what the site says at /.well-known, the one of the user's
// configuration, the site itself. A site that says nothing usable is no error; cancelled is.
Result<Registry> find_registry(const Places& places, const std::stop_token& stop);

// The user's token, if the registry is that of the login or the one that its site names: no other
// gets it. Empty: none.
std::string token_for(const HubConfig& config, const Registry& registry, const Places& places);

// hub_not_logged_in without a token.
Result<Client> client_as_user(const Places& places, const std::stop_token& stop);
// Who asks does not matter.
Result<Client> client_as_anybody(const Places& places, const std::stop_token& stop);

}  // namespace clawperator::hub
