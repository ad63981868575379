#pragma once
// A SKILL.md as a skill: its YAML frontmatter, read as the host of January 2026 reads it, except
// that metadata over several lines counts here. Pure except for loading libfyaml.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

// A description and its metadata take a few KiB; libfyaml builds a tree of it.
inline constexpr std::size_t kMaxYaml = 64 << 10;

// One YAML 1.2 document (core schema) as JSON, by libfyaml, which is loaded with the first one.
// `protocol`: "line 2, column 5: ...", counted in the file; `limit`: too large, too deep, or
// aliases that expand too far. A name is always a text; a plain scalar that looks like null, true
// or a number is one. Duplicate names are an error.
Result<Json> read_yaml(std::string_view text);

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
