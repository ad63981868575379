#pragma once
// A SKILL.md as a skill: its YAML frontmatter, read as the host of January 2026 reads it, but for
// metadata that goes over several lines, which counts here. Pure but for libfyaml's loading.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

// A description and its metadata take a few KiB; libfyaml builds a tree of it.
inline constexpr std::size_t kMaxYaml = 64 << 10;

// One YAML 1.2 document (core schema) as JSON, by libfyaml, which is loaded with the first one.
// `protocol`: "line 2, column 5: ...", counted in the file; `limit`: too large, too deep, or
// aliases that grow too much. A name is a text whatever it looks like; of plain scalars those that
// look like null, true, a number are. Duplicate names are an error.
Result<Json> read_yaml(std::string_view text);

struct Frontmatter {
  std::shared_ptr<const Json> yaml{};                        // an object; null: there is none
  std::vector<std::pair<std::string, std::string>> texts{};  // every value as text, trimmed
  std::shared_ptr<const Json> metadata{};                    // what `metadata` holds; null: no JSON

  // Null where there is none of that name.
  [[nodiscard]] const Json* value(std::string_view name) const;
  [[nodiscard]] const std::string* text(std::string_view name) const;
};

// Of a whole file: valid UTF-8 with line feeds is made of it. No `---` at its start, or none that
// ends it: there is no frontmatter. `protocol`, `limit`: what stands there is no YAML.
Result<Frontmatter> read_frontmatter(std::string_view file);

// Where the frontmatter of a file that begins like this ends; npos: not within it.
std::size_t end_of_frontmatter(std::string_view file);

// The skill of a SKILL.md in a folder of that name; its paths and its source are the caller's to
// set. The error's message says why it is none.
Result<Entry> read_skill(std::string_view file, std::string_view folder_name);

// What of the AgentSkills specification the SKILL.md of a folder of that name breaks, beyond what
// loading one needs, in whole phrases; nothing: it is as agentskills.io has it.
std::vector<std::string> broken_rules(std::string_view file, std::string_view folder_name);

// What deserves a word where the skill is used all the same.
std::vector<std::string> advice_of(std::string_view file);

}  // namespace clawperator::agent_skills
