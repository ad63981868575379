#include "skills/hub/questions.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "skills/hub/registry.hpp"

namespace clawperator::hub {
namespace {

// As the hub's server calls an order.
std::string api_sort(std::string_view sort) {
  if (sort == "rating") return "stars";
  return sort == "installs" ? "installsCurrent" : std::string(sort);
}

Result<Account> account_of(const Client& client) {
  Ask ask;
  ask.path = "/api/v1/whoami";
  ask.with_token = true;
  TRY(const std::string text, client.ask(ask));
  return read_account(text);
}

}  // namespace

Result<std::vector<SearchHit>> search_skills(const Places& places, const std::string& query,
                                             std::optional<int> limit,
                                             const std::stop_token& stop) {
  TRY(const Client client, client_as_anybody(places, stop));
  std::vector<std::pair<std::string, std::string>> parameters{{"q", query}};
  if (limit) parameters.emplace_back("limit", std::to_string(*limit));
  Ask ask;
  ask.path = with_query("/api/v1/search", parameters);
  TRY(const std::string text, client.ask(ask));
  return read_search(text);
}

Result<std::vector<ListedSkill>> explore_skills(const Places& places, int limit,
                                                std::string_view sort,
                                                const std::stop_token& stop) {
  TRY(const Client client, client_as_anybody(places, stop));
  std::vector<std::pair<std::string, std::string>> parameters{{"limit", std::to_string(limit)}};
  if (sort != "newest") parameters.emplace_back("sort", api_sort(sort));
  Ask ask;
  ask.path = with_query("/api/v1/skills", parameters);
  TRY(const std::string text, client.ask(ask));
  return read_skill_page(text);
}

Result<Account> who_am_i(const Places& places, const std::stop_token& stop) {
  TRY(const Client client, client_as_user(places, stop));
  return account_of(client);
}

Result<void> set_deletion(const Places& places, const std::string& slug, Deletion wanted,
                          const std::stop_token& stop) {
  TRY(const Client client, client_as_user(places, stop));
  Ask ask;
  ask.path = "/api/v1/skills/" + escaped(slug);
  ask.method = wanted == Deletion::deleted ? "DELETE" : "POST";
  if (wanted == Deletion::undone) ask.path += "/undelete";
  ask.with_token = true;
  ask.is_about_skill = true;
  TRY(const std::string text, client.ask(ask));
  return read_done(text);
}

Result<LoggedIn> keep_token(const Places& places, const std::string& token,
                            const std::stop_token& stop) {
  if (!is_token(token)) {
    return fail(errc::usage, "a token has 8 to 4096 printable characters without blanks");
  }
  TRY(const Registry registry, find_registry(places, stop));
  LoggedIn done;
  done.registry = registry.url;
  TRY(done.account, account_of(Client(done.registry, token, stop)));
  TRY(done.config, write_hub_config(places.names, {done.registry, token}));
  return done;
}

}  // namespace clawperator::hub
