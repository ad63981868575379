#pragma once
// The SkillResult frame: a script's report of its run, as the last two lines of its output.
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
  std::string source{};     // the required `source`: the text of an object
  bool required = false;    // an agent has to print a frame
  std::string untrusted{};  // why the source is unknown; empty: it is known
};

// The frame without unknown members, `source` last; nullopt: there is none.
// skill_result_parse_failed.
Result<std::optional<Json>> read_frame(std::string_view output, const FrameRules& rules);

}  // namespace clawperator::phone_skills
