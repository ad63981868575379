#pragma once
// The skills of both kinds as clients of the Model Context Protocol see them: folders with URIs.
//
//   skill://agent/<name>/SKILL.md               an agent skill
//   skill://phone/<id>/<name>/SKILL.md          a skill of the registry
//   skill://phone/<id>/SKILL.md                 the same where `name` is none by the specification:
//                                               its files can be read, but it is not listed as one

#include "base/json_document.hpp"
#include "skills/serve/skill_folder.hpp"

namespace clawperator::skills_served {

// A skill that may be served.
struct Candidate {
  std::string place;  // "agent/weather", "phone/com.a.b": its URI begins with it
  std::filesystem::path folder{};
  std::filesystem::path within{};  // a link must not lead out of it; empty: that is known
};

// All of them, sorted by place, each once: agent skills that the configuration allows and whose
// requirements are there, and the registry's. Reads no file of a skill but the beginning of agent
// skills' SKILL.md. A sort that cannot be read is left out; its error is the answer where there is
// no skill of the other one. Blocks.
Result<std::vector<Candidate>> find_candidates();

struct ServedSkill {
  std::string root{};                         // its URI without "/SKILL.md"
  std::string text{};                         // of its SKILL.md
  std::shared_ptr<const Json> frontmatter{};  // an object; null: there is none
  bool is_conforming = false;                 // to the AgentSkills specification
  SkillFolder folder;

  [[nodiscard]] std::string uri_of(std::string_view file) const;
};

// io, limit: it has no SKILL.md, too much, or is elsewhere.
Result<ServedSkill> open_skill(const Candidate& candidate);

// Whether the URI may be of the candidate, or of a file in it.
bool may_have(const Candidate& candidate, std::string_view uri);

}  // namespace clawperator::skills_served
