#pragma once
// The SkillResult frame: what a script says of its run, as the last two lines of its output.
//
//   [Clawperator-Skill-Result]
//   {"contractVersion":"1.0.0","skillId":"...","status":"success","checkpoints":[],...}
//
// Pure. Lines end with LF or CRLF; blank ones do not count.

#include "base/error.hpp"
#include "base/json_document.hpp"

namespace clawperator::phone_skills {

inline constexpr std::string_view kFrameMarker = "[Clawperator-Skill-Result]";

struct FrameRules {
  std::string skill_id{};   // the skill that was run
  std::string source{};     // what `source` is to be: the text of an object
  bool required = false;    // an agent has to emit one
  std::string untrusted{};  // why nobody can say what the source is; empty: it is known
};

// What the frame says, without members that are not known, `source` last; nullopt: there is none.
// skill_result_parse_failed.
Result<std::optional<Json>> read_frame(std::string_view output, const FrameRules& rules);

}  // namespace clawperator::phone_skills
