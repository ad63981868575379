#pragma once
// The bodies of POST /agent-skills/install and /update. Pure.

#include <chrono>
#include <optional>
#include <string>

#include "runtime/http/request.hpp"
#include "skills/workspace/config_edit.hpp"

namespace clawperator::agent_skills {

struct InstallBody {
  std::string name{};
  std::string install_id{};
  std::optional<std::chrono::milliseconds> timeout{};
};

// invalid_body, in the words of the agent's host: "invalid skills.install params: at root: must
// have required property 'name'"; a member that is not known is one.
Result<InstallBody> read_install_body(const http::Request& request);
Result<SkillChange> read_update_body(const http::Request& request);

}  // namespace clawperator::agent_skills
