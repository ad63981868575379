#include "skills/serve/served_skill.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "skills/agent/rules/frontmatter.hpp"
#include "skills/agent/rules/status.hpp"
#include "skills/phone/repo.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::skills_served {
namespace {

constexpr std::string_view kScheme = "skill://";
constexpr std::string_view kAgent = "agent/";
constexpr std::string_view kPhone = "phone/";

std::string encoded(std::string_view path) { return percent_encoded(path, "/"); }

// A skill in the folder of another one gets the other one's place as a prefix.
std::string place_of(const agent_skills::Skill& skill, std::span<const Candidate> found) {
  const Candidate* outer = nullptr;
  for (const Candidate& each : found) {
    if (skill.base_dir.starts_with(each.folder.string() + "/")) outer = &each;
  }
  if (!outer) return std::string(kAgent) + encoded(skill.name);
  return outer->place + encoded(skill.base_dir.substr(outer->folder.string().size()));
}

Result<void> add_agent_skills(std::vector<Candidate>* to) {
  // What a link outside of the folders of skills leads to is not for others.
  TRY(const agent_skills::Workspace workspace,
      agent_skills::current_workspace({.contained = true}));
  const agent_skills::HostFacts host = agent_skills::host_facts();
  auto entries = agent_skills::eligible_entries(
      workspace.entries, {.config = &workspace.config, .host = &host}, std::nullopt);
  // An outer folder before those in it.
  const auto folder = [](const agent_skills::Entry* entry) { return entry->skill.base_dir; };
  std::ranges::sort(entries, {}, folder);
  for (const agent_skills::Entry* entry : entries) {
    const agent_skills::Skill& skill = entry->skill;
    if (skill.name.contains('/') || skill.name.starts_with('.')) continue;
    to->push_back({.place = place_of(skill, *to), .folder = skill.base_dir});
  }
  return ok();
}

bool is_usable_id(std::string_view id) {
  constexpr std::size_t kLongest = 256;  // a package and an intent
  return !id.empty() && id.size() <= kLongest && !id.starts_with('.') && encoded(id) == id &&
         !id.contains('/');
}

Result<void> add_phone_skills(std::vector<Candidate>* to) {
  if (!phone_skills::find_registry()) return ok();
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  for (const phone_skills::Skill& skill : repo.registry.skills) {
    const std::string folder = "skills/" + skill.id;
    // Another folder would have files that are not this skill's.
    if (!is_usable_id(skill.id) || skill.skill_file != folder + "/SKILL.md") continue;
    to->push_back({.place = std::string(kPhone) + skill.id,
                   .folder = repo.root / folder,
                   .within = repo.root});
  }
  return ok();
}

}  // namespace

Result<std::vector<Candidate>> find_candidates() {
  std::vector<Candidate> found;
  const auto agent = add_agent_skills(&found);
  const auto phone = add_phone_skills(&found);
  // A sort that cannot be read must not hide the other one. There is no log here; the commands of
  // that sort report the error.
  if (found.empty()) {
    TRY_VOID(agent);
    TRY_VOID(phone);
  }
  std::ranges::sort(found, {}, &Candidate::place);
  const auto repeated = std::ranges::unique(found, {}, &Candidate::place);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

std::string ServedSkill::uri_of(std::string_view file) const { return root + "/" + encoded(file); }

Result<ServedSkill> open_skill(const Candidate& candidate) {
  if (!candidate.within.empty()) {
    TRY_VOID(phone_skills::check_inside({.root = candidate.within}, candidate.folder));
  }
  TRY(SkillFolder folder, SkillFolder::open(candidate.folder));
  constexpr std::size_t kMost = std::size_t{1} << 20;  // a model reads all of it
  TRY(std::string text, folder.read(std::string(kSkillFile), kMost));
  ServedSkill skill{.root = std::string(kScheme) + candidate.place,
                    .text = std::move(text),
                    .folder = std::move(folder)};
  auto frontmatter = agent_skills::whole_frontmatter(skill.text);
  if (!frontmatter || !frontmatter->is_object()) return skill;
  skill.frontmatter = std::make_shared<const Json>(*std::move(frontmatter));
  const std::string* name = string_value(find_member(*skill.frontmatter, "name"));
  using agent_skills::JudgedFor;
  skill.is_conforming =
      name && agent_skills::broken_rules(skill.text, *name, JudgedFor::a_client).empty();
  if (skill.is_conforming && !skill.root.ends_with("/" + *name)) {
    // A name that changed a moment ago is that of the next list.
    if (candidate.place.starts_with(kAgent)) skill.is_conforming = false;
    if (candidate.place.starts_with(kPhone)) skill.root += "/" + *name;
  }
  return skill;
}

bool may_have(const Candidate& candidate, std::string_view uri) {
  return uri.starts_with(kScheme) && uri.substr(kScheme.size()).starts_with(candidate.place + "/");
}

}  // namespace clawperator::skills_served
