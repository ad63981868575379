// Invariants: what is read is valid JSON again, entry for entry, and reading what was written gives
// the same entries, each with its place; a search finds entries of the registry, each once; indexes
// are valid JSON.

#include <nlohmann/json.hpp>
#include <set>

#include "base/json_places.hpp"
#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/rules/registry.hpp"
#include "skills/phone/rules/schema_rules.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto registry = parse_registry(text);
  if (!registry) return 0;
  for (const Skill& skill : registry->skills) fuzz::require(nlohmann::json::accept(skill.json));
  const auto again = parse_registry(write_registry(*registry));
  fuzz::require(again && again->skills.size() == registry->skills.size());
  for (std::size_t i = 0; i < registry->skills.size(); ++i) {
    fuzz::require(again->skills[i].id == registry->skills[i].id);
    fuzz::require(again->skills[i].scripts == registry->skills[i].scripts);
  }
  const JsonPart list = json_part(text, "skills");
  if (text.substr(list.offset).starts_with('[')) {
    const auto parts = json_parts(text, list);
    fuzz::require(parts.size() == registry->skills.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      fuzz::require(registry->skills[i].is_object == (text[parts[i].offset] == '{'));
      for (const auto& [name, member] : kSkillTexts) {
        fuzz::require(json_part(text, name, parts[i]).offset >= parts[i].offset);
      }
    }
  }
  for (const Skill& skill : registry->skills) {
    const auto found = search(*registry, {.keyword = skill.summary});
    const std::set<const Skill*> each(found.begin(), found.end());
    fuzz::require(each.size() == found.size() && found.size() <= registry->skills.size());
  }
  if (schema_problems(*registry).empty()) {
    for (const auto& [path, index] : make_indexes(*registry)) {
      fuzz::require(path.starts_with("skills/generated/") && !path.contains("/../"));
      fuzz::require(path.ends_with(".jsonl") || nlohmann::json::accept(index));
    }
  }
  return 0;
}
