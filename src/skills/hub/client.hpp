#pragma once
// Asks a hub: each try has 15 s, and what may pass (429, 500 and above, a connection that fails) is
// tried twice more, after 1 s and after 2 s. Blocks.

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
  bool is_about_skill = false;  // a 404 says that the hub has none of that name
  enum class Tries { one, three } tries = Tries::three;
};

// "/api/v1/x?q=a%20b"; the values are escaped.
std::string with_query(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& query);
std::string escaped(std::string_view text);  // as a part of a URL

// `text` with *** for each `token` in it, spelled as it is, as a URL or as JSON spells it.
std::string without_token(std::string_view text, const std::string& token);

// Whether an error of a client's says that nobody answered.
bool is_unreachable(const Error& error);

class Client {
 public:
  // `token` is sent with what asks for it, and never shown: of an answer it is taken out.
  Client(std::string registry, std::string token, std::stop_token stop)
      : registry_(std::move(registry)), token_(std::move(token)), stop_(std::move(stop)) {}

  // `came_from` gets the origin that answered, another one after a redirect.
  // The body of an answer with a status from 200 to 299. hub_request_failed (details: url, status),
  // hub_skill_not_found, hub_not_logged_in, cancelled, unsupported (no libcurl).
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
    bool is_repeated = false;  // a try before was not answered: what it asked for may be done
  };
  [[nodiscard]] Result<Reply> try_until_it_holds(const Ask& ask,
                                                 const std::filesystem::path& file) const;
  [[nodiscard]] Result<Reply> exchange(const Ask& ask, const std::filesystem::path& file) const;
  [[nodiscard]] Result<void> pause(int tries) const;
  [[nodiscard]] Result<std::string> judged(const Ask& ask, Result<Reply> reply) const;

  std::string registry_;
  std::string token_;
  std::stop_token stop_;
};

// Which hub is asked.
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
