#include "skills/phone/rules/schema_rules.hpp"

#include <algorithm>
#include <set>

#include "base/js_string.hpp"
#include "base/text.hpp"

namespace clawperator::phone_skills {
namespace {

// One character or more, all of them letters, digits or one of `marks`.
bool is_made_of(std::string_view text, std::string_view marks) {
  const auto fits = [&](char c) { return is_letter_or_digit(c) || marks.contains(c); };
  return !text.empty() && std::ranges::all_of(text, fits);
}

bool is_intent(std::string_view text) {
  const auto is_capital = [](char c) { return lower_char(c) != c; };
  return is_made_of(text, "-") && std::ranges::none_of(text, is_capital);
}

// A file directly in `folder`, with one of the endings.
bool is_file_in(std::string_view path, std::string_view folder,
                std::initializer_list<std::string_view> endings) {
  if (!path.starts_with(folder)) return false;
  const std::string_view name = path.substr(folder.size());
  const auto ends = [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  };
  return !name.contains('/') && std::ranges::any_of(endings, ends);
}

bool are_files_in(const std::vector<std::string>& paths, const std::string& folder,
                  std::initializer_list<std::string_view> endings) {
  return std::ranges::all_of(
      paths, [&](const std::string& path) { return is_file_in(path, folder, endings); });
}

bool are_keywords(const std::vector<std::string>& keywords) {
  const std::set<std::string> each(keywords.begin(), keywords.end());
  return each.size() == keywords.size() &&
         std::ranges::none_of(keywords, [](const std::string& word) { return is_blank(word); });
}

struct Rule {
  bool holds;
  std::string_view member;
  std::string_view text;
};

std::vector<Rule> rules_for(const Skill& skill) {
  const std::string folder = "skills/" + skill.id;
  return {
      {is_made_of(skill.id, "._-"), "id", "id must match ^[a-zA-Z0-9._-]+$"},
      {is_made_of(skill.application_id, "._"), "applicationId",
       "applicationId must match ^[a-zA-Z0-9._]+$"},
      {is_intent(skill.intent), "intent", "intent must match ^[a-z0-9-]+$"},
      {!is_blank(skill.summary), "summary", "summary must not be blank"},
      {skill.path == folder, "path", "path must be skills/<id>"},
      {skill.skill_file == folder + "/SKILL.md", "skillFile",
       "skillFile must be skills/<id>/SKILL.md"},
      {skill.lists_scripts && !skill.scripts.empty(), "scripts",
       "scripts must name at least one script"},
      {are_files_in(skill.scripts, folder + "/scripts/", {".sh", ".js"}), "scripts",
       "scripts must be files of skills/<id>/scripts ending in .sh or .js"},
      {skill.artifacts_usable, "artifacts", "artifacts must be an array"},
      {are_files_in(skill.artifacts, folder + "/artifacts/", {".recipe.json", ".md", ".json"}),
       "artifacts",
       "artifacts must be files of skills/<id>/artifacts ending in .recipe.json, .json or .md"},
      {are_keywords(skill.keywords), "keywords", "keywords must not be blank, and each once"},
  };
}

}  // namespace

std::vector<SchemaProblem> schema_problems_of(const Skill& skill) {
  std::vector<SchemaProblem> problems;
  for (const Rule& rule : rules_for(skill)) {
    if (!rule.holds) problems.push_back({0, rule.member, std::string(rule.text)});
  }
  return problems;
}

std::vector<SchemaProblem> schema_problems(const Registry& registry) {
  std::vector<SchemaProblem> problems;
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < registry.skills.size(); ++i) {
    const Skill& skill = registry.skills[i];
    const std::string name = skill.id.empty() ? "skills[" + std::to_string(i) + "]" : skill.id;
    for (const SchemaProblem& problem : schema_problems_of(skill)) {
      problems.push_back({i, problem.member, name + ": " + problem.text});
    }
    if (!skill.id.empty() && !ids.insert(skill.id).second) {
      problems.push_back({i, "id", name + ": id is registered twice"});
    }
  }
  return problems;
}

}  // namespace clawperator::phone_skills
