#pragma once
// Sends requests to a hub: each try has 15 s. A failure that may pass (429, 500 and above, a
// connection that fails) is tried twice more, after 1 s and after 2 s, or when the hub's
// Retry-After says. Blocks.

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// The hub takes 50 MiB of files for one version (docs/guides/hub.md).
inline constexpr std::uint64_t kMaxArchive = 50ULL << 20;

struct Ask {
  std::string path{};  // below the registry's URL, with its query: "/api/v1/whoami"
  std::string method = "GET";
  std::optional<std::string> body{};
  std::string content_type{};
  bool with_token = false;
  bool is_about_skill = false;  // a 404 means that the hub has no such skill
  enum class Tries { one, three } tries = Tries::three;
};

// "/api/v1/x?q=a%20b"; the values are escaped.
std::string with_query(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& query);
// The query for a skill of this owner; none for an empty one.
std::vector<std::pair<std::string, std::string>> owner_query(const std::string& owner);

// `text` with *** in place of each `token`, in its plain, URL or JSON spelling.
std::string without_token(std::string_view text, const std::string& token);

// Whether an error of a client means that no server answered.
bool is_unreachable(const Error& error);

class Client {
 public:
  // `token` is sent with each request, and never shown: it is removed from answers.
  // `warn` gets a line for each wait that the hub has requested.
  Client(
      std::string registry, std::string token, std::stop_token stop,
      std::function<void(const std::string&)> warn = [](const std::string&) {})
      : registry_(std::move(registry)),
        token_(std::move(token)),
        stop_(std::move(stop)),
        warn_(std::move(warn)) {}

  // Returns the body of an answer with a status from 200 to 299. `came_from` receives the origin
  // that answered, another one after a redirect. hub_request_failed (details: url, status,
  // retryAfterSeconds), hub_skill_not_found, hub_skill_ambiguous, hub_not_logged_in, cancelled,
  // unsupported (no libcurl).
  Result<std::string> ask(const Ask& ask, std::string* came_from = nullptr) const;
  // The same, into a new file; kMaxArchive at most.
  [[nodiscard]] Result<void> download(const Ask& ask, const std::filesystem::path& file) const;

  [[nodiscard]] const std::string& registry() const { return registry_; }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

 private:
  struct Reply {
    long status = 0;
    std::string text{};
    std::string origin{};
    std::optional<std::chrono::seconds> retry_after{};
    // an earlier try got no answer, so its request may have been carried out
    bool is_repeated = false;
  };
  [[nodiscard]] Result<Reply> try_until_it_holds(const Ask& ask,
                                                 const std::filesystem::path& file) const;
  [[nodiscard]] Result<Reply> exchange(const Ask& ask, const std::filesystem::path& file) const;
  [[nodiscard]] Result<void> pause(std::chrono::seconds length) const;
  [[nodiscard]] Result<std::string> judged(const Ask& ask, Result<Reply> reply) const;

  std::string registry_;
  std::string token_;
  std::stop_token stop_;
  std::function<void(const std::string&)> warn_;
};

// The value of a Retry-After header at `now`: seconds, a date, or, from the first hubs, the seconds
// since 1970 of the moment. nullopt for another text, and for a wait of more than a day.
std::optional<std::chrono::seconds> read_retry_after(std::string_view value,
                                                     std::chrono::seconds now);

// The hub that requests go to.
struct Registry {
  std::string url{};
  std::string auth_base{};  // of the hub's pages, for a login
  bool by_site = false;     // the site's own document names it
};

// --registry or the variable; else the registry in the site's /.well-known document, that of the
// user's configuration, or the site itself. A site without a usable document is no error; cancelled
// is.
Result<Registry> find_registry(const Places& places, const std::stop_token& stop);

// The same for a login by browser: a registry that was named without a site has its own pages.
Result<Registry> find_login(const Places& places, const std::stop_token& stop);

// Whether a token from the login pages of the registry `brought` may go to `registry`: the two are
// the same, or the registry's own pages gave it, or the site of the pages names the registry.
bool may_get_token(const Registry& registry, const std::string& brought, const Places& places);

// The user's token, if the registry is that of the login or the one that its site names; other
// registries do not get it. Empty: none.
std::string token_for(const HubConfig& config, const Registry& registry, const Places& places);

// hub_not_logged_in without a token.
Result<Client> client_as_user(const Places& places, const std::stop_token& stop);
// For requests that need no login. `noted`: the registry that a skill came from; it is used where
// the user names neither a registry nor a site.
Result<Client> client_as_anybody(const Places& places, const std::stop_token& stop,
                                 const std::string& noted = {});

}  // namespace clawperator::hub
