#pragma once
// A SKILL.md as a skill: its YAML frontmatter, read as the host of January 2026 reads it, except
// that metadata over several lines counts here. Pure.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct Frontmatter {
  std::shared_ptr<const Json> yaml{};                        // an object; null: there is none
  std::vector<std::pair<std::string, std::string>> texts{};  // every value as text, trimmed
  std::shared_ptr<const Json> metadata{};  // the value of `metadata`; null: no JSON

  // Null where no value has that name.
  [[nodiscard]] const Json* value(std::string_view name) const;
  [[nodiscard]] const std::string* text(std::string_view name) const;
};

// Reads a whole file, after turning it into valid UTF-8 with line feeds. Without `---` at the
// start, or without one that ends it, there is no frontmatter. `protocol`, `limit`: the frontmatter
// is no YAML.
Result<Frontmatter> read_frontmatter(std::string_view file);

inline constexpr std::size_t kLongestDescription = 1024;  // characters

// The end of the frontmatter in a file with this beginning; npos: beyond it.
std::size_t end_of_frontmatter(std::string_view file);

// The skill of a SKILL.md in a folder of that name; the caller sets its paths and its source. The
// error's message says why it is no skill.
Result<Entry> read_skill(std::string_view file, std::string_view folder_name);

// The rules of the AgentSkills specification (agentskills.io) that the SKILL.md breaks although it
// can be loaded, as whole phrases; empty: none. For its author an unknown field is a mistake, and
// metadata may be as the hosts of this family read it. For a client of another make metadata maps
// texts to texts, and a later specification may have further fields.
enum class JudgedFor : std::uint8_t { its_author, a_client };
std::vector<std::string> broken_rules(std::string_view file, std::string_view folder_name,
                                      JudgedFor judged_for = JudgedFor::its_author);

// The whole frontmatter as YAML reads it: every field, unchanged. Null: there is none. `protocol`,
// `limit`: it is no YAML.
Result<Json> whole_frontmatter(std::string_view file);

// Advice about a skill that can be used all the same.
std::vector<std::string> advice_of(std::string_view file);

}  // namespace clawperator::agent_skills
