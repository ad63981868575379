#pragma once
// skill.json: the members of the registry's entry again, beside the skill, and the facts that a run
// needs.
//
//   "agent":    {"cli":"codex","cliPath":"bin/agent","timeoutMs":300000}
//   "contract": {"inputs":{"percent":"integer[0,100]"},"goal":{"kind":"..."},
//                "verification":{"kind":"node_text_matches","matcher":"Discharge to {percent}%"}}
//
// Pure.

#include <map>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

inline constexpr std::size_t kMaxSkillJson = std::size_t{1} << 20;  // a person's file of a few KiB

struct Agent {
  std::string cli{};
  std::string cli_path{};  // empty: looked up in PATH
  std::optional<std::chrono::milliseconds> timeout{};
};

struct InputType {
  enum class Kind : std::uint8_t { text, integer } kind = Kind::text;
  std::optional<std::int64_t> least{};
  std::optional<std::int64_t> most{};
};

struct Contract {
  std::map<std::string, InputType> inputs{};  // by name
  std::optional<std::string> matcher{};       // of its verification
};

struct Manifest {
  std::optional<Agent> agent{};
  Contract contract{};
};

// registry_read_failed with the parser's text.
Result<Json> read_skill_json(std::string_view text);

// The members that differ from the registry's entry, in the entry's order: its texts (kSkillTexts),
// scripts and artifacts. Keywords and unknown members are not compared.
std::vector<std::string> mismatches_of(const Json& skill_json, const Skill& entry);

// skill_validation_failed (details.reason) for an `agent` or `contract` of another shape.
Result<Manifest> read_manifest(const Json& skill_json, const Skill& entry);

}  // namespace clawperator::phone_skills
