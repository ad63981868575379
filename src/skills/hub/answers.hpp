#pragma once
// A hub's answers as values: each answer is checked by its schema. The error is HUB_REQUEST_FAILED
// with the place and the fault: "API response: results.0.score: invalid value".

#include "base/error.hpp"
#include "skills/hub/local_skill.hpp"

namespace clawperator::hub {

// A page of 200 skills has some hundred KiB; the answer is held in memory and repaired there.
inline constexpr std::size_t kMaxAnswer = std::size_t{8} << 20;

struct SearchHit {
  std::optional<std::string> slug{};
  std::optional<std::string> owner{};
  std::optional<std::string> name{};
  std::optional<std::string> summary{};
  std::optional<std::string> version{};
  double score = 0;
  std::optional<double> updated_at{};  // milliseconds since 1970
};
Result<std::vector<SearchHit>> read_search(std::string_view text);

struct ListedSkill {
  std::string slug{};
  std::string name{};
  std::optional<std::string> summary{};
  std::optional<std::string> version{};  // the latest
  double updated_at = 0;
  std::string stats{};  // JSON
};
Result<std::vector<ListedSkill>> read_skill_page(std::string_view text);

// GET /skills/SLUG: the latest version, and the judgement of the hub's moderators. A version that
// is no is_version_text is refused here and below.
enum class Moderation { none, suspicious, malware };
struct HubSkill {
  std::optional<std::string> latest{};
  std::string owner{};  // in lower case; empty: not reported, or no owner's name
  Moderation moderation = Moderation::none;
};
Result<HubSkill> read_hub_skill(std::string_view text);

// The owners in the error of a hub where several have the slug; empty: it is another error.
std::vector<std::string> read_owners(std::string_view text);

// The files of one version.
Result<std::vector<HashedFile>> read_version_files(std::string_view text);
std::string_view name_of(Moderation moderation);

struct Resolved {
  std::optional<std::string> match{};
  std::optional<std::string> latest{};
};
Result<Resolved> read_resolved(std::string_view text);

struct Account {
  std::optional<std::string> handle{};
  std::optional<std::string> name{};
};
Result<Account> read_account(std::string_view text);

struct Published {
  std::string skill_id{};
  std::string version_id{};
};
Result<Published> read_published(std::string_view text);

// {"ok":true} of delete and undelete.
Result<void> read_done(std::string_view text);

// The content of a site's /.well-known/clawdhub.json.
struct Discovery {
  std::string registry{};
  std::optional<std::string> auth_base{};
};
Result<Discovery> read_discovery(std::string_view text);

// The browser's answer after a login.
struct BroughtToken {
  std::string token{};
  std::optional<std::string> registry{};
  std::string state{};
};
Result<BroughtToken> read_brought_token(std::string_view text);

// The text of an error's answer: the body, if it is one or a few lines of plain text, else "HTTP
// 503".
std::string error_text(long status, std::string_view body);

}  // namespace clawperator::hub
