#include "skills/hub/registry.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "skills/hub/answers.hpp"

namespace clawperator::hub {
namespace {

constexpr std::string_view kLegacyRegistry = "https://auth.clawdhub.com";

Result<Discovery> ask_site(const Places& places, Names names, const std::stop_token& stop) {
  const Client site(places.site, {}, stop);
  Ask ask;
  ask.path = "/.well-known/" + std::string(name_of(names)) + ".json";
  ask.tries = Ask::Tries::one;
  TRY(const std::string text, site.ask(ask));
  return read_discovery(text);
}

// A site of the other name may say it, too; one that cannot be reached is not asked twice.
Result<Discovery> discover(const Places& places, const std::stop_token& stop) {
  auto found = ask_site(places, places.names, stop);
  if (found || !found.error().members().contains("\"status\"")) return found;
  const bool is_old = places.names == Names::clawdhub;
  return ask_site(places, is_old ? Names::clawhub : Names::clawdhub, stop);
}

// Of a URL that is not there or no good: none.
std::string base_or_none(const std::string& url) {
  return url.empty() ? std::string() : checked_base("", url).value_or("");
}

}  // namespace

Result<Registry> find_registry(const Places& places, const std::stop_token& stop) {
  if (!places.registry.empty()) return Registry{places.registry, places.site};
  const auto told = discover(places, stop);
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  if (!told && told.error().code() == errc::unsupported) return std::unexpected(told.error());
  const std::string base = told ? base_or_none(told->registry) : "";
  if (!base.empty()) {
    const std::string auth = base_or_none(told->auth_base.value_or(""));
    return Registry{base, auth.empty() ? places.site : auth, true};
  }
  const std::string cached = base_or_none(read_hub_config(places.names).registry);
  const bool is_usable = !cached.empty() && origin_of(cached) != kLegacyRegistry;
  return Registry{is_usable ? cached : places.site, places.site};
}

std::string token_for(const HubConfig& config, const Registry& registry, const Places& places) {
  const std::string_view of_login = origin_of(config.registry);
  const bool is_same = of_login == origin_of(registry.url);
  const bool is_of_site = registry.by_site && of_login == origin_of(places.site);
  return is_same || is_of_site ? config.token : std::string();
}

Result<Client> client_as_user(const Places& places, const std::stop_token& stop) {
  const HubConfig config = read_hub_config(places.names);
  constexpr std::string_view kLogIn = "Not logged in. Run: clawperator hub login";
  if (config.token.empty()) return fail(errc::hub_not_logged_in, std::string(kLogIn));
  TRY(const Registry registry, find_registry(places, stop));
  std::string token = token_for(config, registry, places);
  if (!token.empty()) return Client(registry.url, std::move(token), stop);
  return fail(errc::hub_not_logged_in, "Not logged in at " + registry.url + ", but at " +
                                           config.registry + ". Run: clawperator hub login");
}

Result<Client> client_as_anybody(const Places& places, const std::stop_token& stop) {
  TRY(const Registry registry, find_registry(places, stop));
  return Client(registry.url, {}, stop);
}

}  // namespace clawperator::hub
