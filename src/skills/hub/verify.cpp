#include "skills/hub/verify.hpp"

#include <map>

#include "base/error_members.hpp"
#include "base/text.hpp"
#include "skills/hub/answers.hpp"
#include "skills/hub/client.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/lock_file.hpp"

namespace clawperator::hub {
namespace {

struct Differences {
  std::vector<std::string> changed{};
  std::vector<std::string> missing{};
  std::vector<std::string> added{};
};

Differences compare(const std::vector<HashedFile>& local, const std::vector<HashedFile>& listed) {
  Differences found;
  std::map<std::string_view, std::string_view> left;
  for (const HashedFile& file : listed) left.emplace(file.path, file.sha256);
  for (const HashedFile& file : local) {
    const auto known = left.find(file.path);
    if (known == left.end()) {
      found.added.push_back(file.path);
      continue;
    }
    if (known->second != file.sha256) found.changed.push_back(file.path);
    left.erase(known);
  }
  for (const auto& [path, digest] : left) found.missing.emplace_back(path);
  return found;
}

std::unexpected<Error> differ(const Verified& skill, const Differences& found) {
  const auto count = [](const std::vector<std::string>& list) {
    return std::to_string(list.size());
  };
  ErrorMembers details;
  details.text("path", skill.path.string()).text("version", skill.version);
  details.strings("changed", found.changed).strings("missing", found.missing);
  details.strings("added", found.added);
  return fail_with(errc::hub_files_differ,
                   skill.slug + ": the files are not those of version " + skill.version + ": " +
                       count(found.changed) + " changed, " + count(found.missing) + " missing, " +
                       count(found.added) + " added",
                   details);
}

}  // namespace

Result<Verified> verify_skill(const Places& places, const VerifyRequest& request,
                              const std::stop_token& stop) {
  Verified skill{.slug = request.name.text(), .version = request.version};
  skill.path = places.skills / skill.slug;
  TRY(const LocalSkill local, read_local_skill(skill.path, stop));
  const auto origin = read_origin_in(skill.path);
  if (skill.version.empty() && origin) skill.version = origin->version;
  if (skill.version.empty()) {
    TRY(const LockFile lock, read_lock(places));
    if (const auto locked = lock.find(skill.slug)) skill.version = locked->version.value_or("");
  }
  if (local.kind != LocalSkill::Kind::folder || !is_version_text(skill.version)) {
    return fail(errc::hub_skill_not_found, skill.slug + ": not installed from a hub");
  }
  // Files that an unread ignore file hides would seem to be added.
  if (local.unread) return std::unexpected(*local.unread);
  TRY(const Client client, client_as_anybody(places, stop, origin ? origin->registry : ""));
  skill.registry = client.registry();
  const std::string path = "/api/v1/skills/" + percent_encoded(request.name.slug) + "/versions/" +
                           percent_encoded(skill.version);
  const std::string owner =
      request.name.owner.empty() && origin ? origin->owner : request.name.owner;
  TRY(const std::string text,
      client.ask({.path = with_query(path, owner_query(owner)), .is_about_skill = true}));
  TRY(const auto listed, read_version_files(text));
  const Differences found = compare(local.files, listed);
  skill.files = listed.size();
  if (found.changed.empty() && found.missing.empty() && found.added.empty()) return skill;
  return differ(skill, found);
}

}  // namespace clawperator::hub
