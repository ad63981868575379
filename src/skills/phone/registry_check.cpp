#include "skills/phone/registry_check.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json_places.hpp"
#include "skills/phone/errc.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/rules/manifest.hpp"
#include "skills/phone/rules/schema_rules.hpp"
#include "skills/phone/validate.hpp"

namespace clawperator::phone_skills {
namespace {

class RegistryCheck {
 public:
  RegistryCheck(const Repo& repo, std::string_view text, const TakeFault& take)
      : repo_(repo), text_(text), take_(take) {
    // A name that is spelled with escapes is not found; then the entries have no place of their
    // own.
    const JsonPart list = json_part(text, "skills");
    if (text.substr(list.offset).starts_with('[')) entries_ = json_parts(text, list);
    entries_.resize(repo.registry.skills.size());
  }

  void check() {
    const auto& skills = repo_.registry.skills;
    for (const SchemaProblem& each : schema_problems(repo_.registry)) {
      if (!skills[each.entry].is_object) continue;
      wrong(errc::skills_check_entry_invalid,
            json_part(text_, each.member, entries_[each.entry]).place, each.text);
    }
    for (std::size_t i = 0; i < skills.size(); ++i) check_entry(skills[i], entries_[i]);
    for (const std::string& path : unregistered_folders(repo_)) {
      take_(path, {errc::skills_check_unregistered, {}, path + ": " + std::string(kUnregistered)});
    }
    for (StaleIndex& each : stale_indexes(repo_, make_indexes(repo_.registry))) {
      take_(each.path, {errc::skills_index_stale, {}, std::move(each.text)});
    }
  }

 private:
  void wrong(Errc code, TextPlace place, std::string message) {
    take_(repo_.registry_path.lexically_relative(repo_.root).string(),
          {code, place, std::move(message)});
  }

  // A path that is missing itself is a fault of the entry.
  bool is_file(const Skill& skill, const std::string& path, JsonPart at) {
    if (path.empty()) return false;
    const auto file = file_of(repo_, skill, path);
    if (file && is_plain_file(*file)) return true;
    wrong(errc::skills_check_file_missing, at.place,
          skill.id + ": " + path + (file ? " is no file here" : " leads out of the repository"));
    return false;
  }

  void check_entry(const Skill& skill, JsonPart at) {
    if (!skill.is_object) {
      return wrong(errc::skills_check_entry_invalid, at.place, "an entry must be an object");
    }
    const auto member = [&](std::string_view name) { return json_part(text_, name, at); };
    is_file(skill, skill.skill_file, member("skillFile"));
    for (const auto& [name, files] :
         {std::pair("scripts", &skill.scripts), {"artifacts", &skill.artifacts}}) {
      const JsonPart list = member(name);
      const std::vector<JsonPart> places = json_parts(text_, list);
      for (std::size_t i = 0; i < files->size(); ++i) {
        is_file(skill, (*files)[i], i < places.size() ? places[i] : list);
      }
    }
    if (skill.path.empty()) return;
    const std::string manifest = skill.path + "/skill.json";
    if (is_file(skill, manifest, member("path"))) check_manifest(skill, manifest);
  }

  void check_manifest(const Skill& skill, const std::string& path) {
    const auto wrong_here = [&](Errc code, TextPlace place, std::string message) {
      take_(path, {code, place, std::move(message)});
    };
    const auto text = read_text(repo_.root / path, kMaxSkillJson);
    const auto json = text ? read_skill_json(*text) : std::unexpected(text.error());
    if (!json) {
      const std::string& why = json.error().message();
      return wrong_here(errc::skills_check_manifest_invalid, text ? place_in(why) : TextPlace{},
                        why);
    }
    const auto place_of = [&](std::string_view member) { return json_part(*text, member).place; };
    for (const std::string& name : mismatches_of(*json, skill)) {
      wrong_here(errc::skills_check_manifest_differs, place_of(name),
                 "`" + name + "` is not that of the registry's entry");
    }
    // Each alone, because a manifest is read up to its first fault.
    for (const char* name : {"agent", "contract"}) {
      const Json* value = find_member(*json, name);
      const auto read = read_manifest(value ? Json{{name, *value}} : Json::object(), skill);
      if (read) continue;
      const auto members = read_json(read.error().members(), kMaxSkillJson);
      const Json* details = members ? find_member(*members, "details") : nullptr;
      const std::string* reason = details ? string_member(*details, "reason") : nullptr;
      wrong_here(errc::skills_check_manifest_invalid, place_of(name),
                 reason ? *reason : read.error().message());
    }
  }

  const Repo& repo_;
  std::string_view text_;
  const TakeFault& take_;
  std::vector<JsonPart> entries_;
};

}  // namespace

void check_registry(const Repo& repo, std::string_view text, const TakeFault& take) {
  RegistryCheck(repo, text, take).check();
}

}  // namespace clawperator::phone_skills
