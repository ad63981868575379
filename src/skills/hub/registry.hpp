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
  bool by_site = false;     // a document of the site's own names it
};

// --registry or the variable, what the site says at /.well-known, the one of the user's
// configuration, the site itself. A site that says nothing usable is no error; cancelled is.
Result<Registry> find_registry(const Places& places, const std::stop_token& stop);

// The same for a login by browser: a registry that was named, and no site, has its own pages.
Result<Registry> find_login(const Places& places, const std::stop_token& stop);

// Whether a token that the pages of a login gave for the registry `brought` may go to `registry`:
// it is the same, or its own pages gave it, or the site of the pages names it.
bool may_get_token(const Registry& registry, const std::string& brought, const Places& places);

// The user's token, if the registry is that of the login or the one that its site names: no other
// gets it. Empty: none.
std::string token_for(const HubConfig& config, const Registry& registry, const Places& places);

// hub_not_logged_in without a token.
Result<Client> client_as_user(const Places& places, const std::stop_token& stop);
// Who asks does not matter.
Result<Client> client_as_anybody(const Places& places, const std::stop_token& stop);

}  // namespace clawperator::hub
