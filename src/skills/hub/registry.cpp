#include "skills/hub/registry.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "skills/hub/answers.hpp"

namespace clawperator::hub {
namespace {

constexpr std::string_view kLegacyRegistry = "https://auth.clawdhub.com";

struct Told {
  Discovery discovery{};
  std::string origin{};  // who said it: another one after a redirect
};

Result<Told> ask_site(const std::string& site, Names names, const std::stop_token& stop) {
  Ask ask;
  ask.path = "/.well-known/" + std::string(name_of(names)) + ".json";
  ask.tries = Ask::Tries::one;
  Told told;
  TRY(const std::string text, Client(site, {}, stop).ask(ask, &told.origin));
  TRY(told.discovery, read_discovery(text));
  return told;
}

// A site of the other name may say it, too; one that cannot be reached is not asked twice.
Result<Told> discover(const std::string& site, Names names, const std::stop_token& stop) {
  auto found = ask_site(site, names, stop);
  if (found || !found.error().members().contains("\"status\"")) return found;
  return ask_site(site, names == Names::clawdhub ? Names::clawhub : Names::clawdhub, stop);
}

// Of a URL that is not there or no good: none.
std::string base_or_none(const std::string& url) {
  return url.empty() ? std::string() : checked_base("", url).value_or("");
}

std::string pages_of(const Told& told, const std::string& otherwise) {
  std::string pages = base_or_none(told.discovery.auth_base.value_or(""));
  return pages.empty() ? otherwise : pages;
}

}  // namespace

Result<Registry> find_registry(const Places& places, const std::stop_token& stop) {
  if (!places.registry.empty()) return Registry{places.registry, places.site};
  const auto told = discover(places.site, places.names, stop);
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  if (!told && told.error().code() == errc::unsupported) return std::unexpected(told.error());
  const std::string base = told ? base_or_none(told->discovery.registry) : "";
  if (!base.empty()) {
    const bool by_site = told->origin == origin_of(places.site);
    return Registry{base, pages_of(*told, by_site ? places.site : told->origin), by_site};
  }
  const std::string cached = base_or_none(read_hub_config(places.names).registry);
  const bool is_usable = !cached.empty() && origin_of(cached) != kLegacyRegistry;
  return Registry{is_usable ? cached : places.site, places.site};
}

Result<Registry> find_login(const Places& places, const std::stop_token& stop) {
  TRY(Registry registry, find_registry(places, stop));
  if (places.registry.empty() || places.is_site_given) return registry;
  const auto told = discover(registry.url, places.names, stop);
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  registry.auth_base = told ? pages_of(*told, registry.url) : registry.url;
  return registry;
}

bool may_get_token(const Registry& registry, const std::string& brought, const Places& places) {
  const std::string_view used = origin_of(registry.url);
  const std::string_view pages = origin_of(registry.auth_base);
  return origin_of(brought) == used || pages == used ||
         (registry.by_site && pages == origin_of(places.site));
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
