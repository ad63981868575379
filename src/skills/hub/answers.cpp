#include "skills/hub/answers.hpp"

#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/names.hpp"

namespace clawperator::hub {
namespace {

constexpr std::size_t kMaxRepaired = 3 * kMaxAnswer;  // U+FFFD is longer than a byte
// A version lists 5000 files at most, of four members each.
constexpr std::size_t kMaxAnswerMembers = 25'000;
constexpr std::size_t kMaxErrorText = 2000;  // a hub's error is one line; a longer text is a page

std::unexpected<Error> wrong(const std::string& where, std::string_view what = "invalid value") {
  return fail(errc::hub_request_failed,
              "API response: " + where + (where.empty() ? "" : ": ") + std::string(what));
}

// A value and its place in the answer.
struct At {
  std::shared_ptr<const Json> document{};
  const Json* value = nullptr;  // in the document; null: absent
  std::string path{};

  [[nodiscard]] At member(const char* name) const {
    return {document, value == nullptr ? nullptr : find_member(*value, name),
            path + (path.empty() ? "" : ".") + name};
  }
  [[nodiscard]] bool is_absent() const { return value == nullptr || value->is_null(); }
};

Result<At> read_answer(std::string_view text) {
  // A summary that was cut inside of a character must not refuse the whole answer.
  auto document = read_json(repaired_json(text), kMaxRepaired, kMaxAnswerMembers);
  if (!document) return wrong("", document.error().message());
  if (!document->is_object()) return wrong("", "an object is expected");
  auto kept = std::make_shared<const Json>(*std::move(document));
  return At{kept, kept.get()};
}

Result<std::string> text_at(const At& at) {
  const std::string* text = string_value(at.value);
  if (text == nullptr) return wrong(at.path);
  return *text;
}

// null and absent are the same.
Result<std::optional<std::string>> text_or_none(const At& at) {
  if (at.is_absent()) return std::nullopt;
  TRY(std::string text, text_at(at));
  return std::optional(std::move(text));
}

Result<double> number_at(const At& at) {
  if (at.value == nullptr || !at.value->is_number()) return wrong(at.path);
  return at.value->get<double>();
}

// Of {"version": ...} or null.
Result<std::optional<std::string>> version_in(const At& at) {
  if (at.is_absent()) return std::nullopt;
  if (!at.value->is_object()) return wrong(at.path);
  TRY(std::string version, text_at(at.member("version")));
  return std::optional(std::move(version));
}

// A version that files may be written with.
Result<std::optional<std::string>> checked_version_in(const At& at) {
  TRY(auto version, version_in(at));
  if (!version || version->empty()) return std::nullopt;
  if (!is_version_text(*version)) return wrong(at.path + ".version");
  return version;
}

Result<void> check_ok(const At& answer) {
  return is_true_member(*answer.value, "ok") ? ok() : wrong("ok");
}

// An unreadable flag does not count as "no".
Result<bool> flag_at(const At& at) {
  if (at.is_absent()) return false;
  if (!at.value->is_boolean()) return wrong(at.path);
  return at.value->get<bool>();
}

Result<Moderation> moderation_in(const At& at) {
  if (at.is_absent()) return Moderation::none;
  if (!at.value->is_object()) return wrong(at.path);
  TRY(const bool is_malware, flag_at(at.member("isMalwareBlocked")));
  TRY(const bool is_suspicious, flag_at(at.member("isSuspicious")));
  if (is_malware) return Moderation::malware;
  return is_suspicious ? Moderation::suspicious : Moderation::none;
}

template <class T, class Read>
Result<std::vector<T>> list_at(const At& at, Read read) {
  if (at.value == nullptr || !at.value->is_array()) return wrong(at.path);
  std::vector<T> all;
  for (const Json& each : *at.value) {
    TRY(T item, read(At{at.document, &each, at.path + "." + std::to_string(all.size())}));
    all.push_back(std::move(item));
  }
  return all;
}

Result<SearchHit> search_hit(const At& at) {
  SearchHit hit;
  TRY(hit.slug, text_or_none(at.member("slug")));
  TRY(hit.owner, text_or_none(at.member("ownerHandle")));
  TRY(hit.name, text_or_none(at.member("displayName")));
  TRY(hit.summary, text_or_none(at.member("summary")));
  TRY(hit.version, text_or_none(at.member("version")));
  TRY(hit.score, number_at(at.member("score")));
  const At updated = at.member("updatedAt");
  if (!updated.is_absent()) {
    TRY(hit.updated_at, number_at(updated));
  }
  return hit;
}

Result<ListedSkill> listed_skill(const At& at) {
  ListedSkill skill;
  TRY(skill.slug, text_at(at.member("slug")));
  TRY(skill.name, text_at(at.member("displayName")));
  TRY(skill.summary, text_or_none(at.member("summary")));
  TRY(skill.version, version_in(at.member("latestVersion")));
  TRY(skill.updated_at, number_at(at.member("updatedAt")));
  const At stats = at.member("stats");
  skill.stats = stats.is_absent() ? "{}" : write_json(*stats.value);
  return skill;
}

}  // namespace

Result<std::vector<SearchHit>> read_search(std::string_view text) {
  TRY(const At answer, read_answer(text));
  return list_at<SearchHit>(answer.member("results"), search_hit);
}

Result<std::vector<ListedSkill>> read_skill_page(std::string_view text) {
  TRY(const At answer, read_answer(text));
  return list_at<ListedSkill>(answer.member("items"), listed_skill);
}

Result<HubSkill> read_hub_skill(std::string_view text) {
  TRY(const At answer, read_answer(text));
  HubSkill skill;
  TRY(skill.latest, checked_version_in(answer.member("latestVersion")));
  TRY(skill.moderation, moderation_in(answer.member("moderation")));
  const At owner = answer.member("owner");
  if (owner.is_absent() || !owner.value->is_object()) return skill;
  TRY(const auto handle, text_or_none(owner.member("handle")));
  const std::string name = ascii_lower(trim_js(handle.value_or("")));
  if (is_owner(name)) skill.owner = name;
  return skill;
}

std::vector<std::string> read_owners(std::string_view text) {
  std::vector<std::string> owners;
  const auto answer = read_answer(text);
  if (!answer) return owners;
  const std::string* code = string_member(*answer->value, "code");
  const Json* matches = find_member(*answer->value, "matches");
  if (code == nullptr || *code != "AMBIGUOUS_SKILL_SLUG" || matches == nullptr ||
      !matches->is_array()) {
    return owners;
  }
  for (const Json& match : *matches) {
    const std::string* handle = string_member(match, "ownerHandle");
    const std::string name = handle == nullptr ? std::string() : ascii_lower(trim_js(*handle));
    if (is_owner(name)) owners.push_back(name);
  }
  return owners;
}

Result<std::vector<HashedFile>> read_version_files(std::string_view text) {
  TRY(const At answer, read_answer(text));
  return list_at<HashedFile>(answer.member("version").member("files"),
                             [](const At& at) -> Result<HashedFile> {
                               HashedFile file;
                               TRY(file.path, text_at(at.member("path")));
                               TRY(file.sha256, text_at(at.member("sha256")));
                               return file;
                             });
}

std::string_view name_of(Moderation moderation) {
  constexpr std::string_view kNames[] = {"none", "suspicious", "malware"};
  return kNames[static_cast<std::size_t>(moderation)];
}

Result<Resolved> read_resolved(std::string_view text) {
  TRY(const At answer, read_answer(text));
  Resolved resolved;
  TRY(resolved.match, checked_version_in(answer.member("match")));
  TRY(resolved.latest, checked_version_in(answer.member("latestVersion")));
  return resolved;
}

Result<Account> read_account(std::string_view text) {
  TRY(const At answer, read_answer(text));
  const At user = answer.member("user");
  if (user.is_absent() || !user.value->is_object()) return wrong(user.path);
  Account account;
  TRY(account.handle, text_or_none(user.member("handle")));
  TRY(account.name, text_or_none(user.member("displayName")));
  return account;
}

Result<Published> read_published(std::string_view text) {
  TRY(const At answer, read_answer(text));
  TRY_VOID(check_ok(answer));
  Published published;
  TRY(published.skill_id, text_at(answer.member("skillId")));
  TRY(published.version_id, text_at(answer.member("versionId")));
  return published;
}

Result<void> read_done(std::string_view text) {
  TRY(const At answer, read_answer(text));
  return check_ok(answer);
}

Result<Discovery> read_discovery(std::string_view text) {
  TRY(const At answer, read_answer(text));
  const At base = answer.member("apiBase");
  Discovery discovery;
  TRY(discovery.registry, text_at(base.is_absent() ? answer.member("registry") : base));
  TRY(discovery.auth_base, text_or_none(answer.member("authBase")));
  return discovery;
}

Result<BroughtToken> read_brought_token(std::string_view text) {
  TRY(const At answer, read_answer(text));
  BroughtToken brought;
  TRY(const std::string token, text_at(answer.member("token")));
  brought.token = trim_js(token);
  TRY(brought.registry, text_or_none(answer.member("registry")));
  TRY(brought.state, text_at(answer.member("state")));
  return brought;
}

std::string error_text(long status, std::string_view body) {
  const std::string_view text = trimmed(body);
  const bool is_page = text.starts_with('<') || text.size() > kMaxErrorText;
  if (text.empty() || is_page) return "HTTP " + std::to_string(status);
  return harmless_text(text, "?");
}

}  // namespace clawperator::hub
