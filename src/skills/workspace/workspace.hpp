#pragma once
// The agent skills of this computer: the configuration file of the agent's host, the folders that
// it names, and every skill in them.
//
//   <extra dirs of the configuration> < bundled < managed (STATE/skills) < <workspace>/skills

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "skills/agent/config.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

// Where things are. ~/.openclaw, else the first that is there of ~/.clawdbot, ~/.moltbot,
// ~/.moldbot,
// ~/.clawdis; OPENCLAW_*, CLAWDBOT_* and CLAWDIS_* _STATE_DIR, _CONFIG_PATH and _BUNDLED_SKILLS_DIR
// come first, the newest spelling before the others.
struct Places {
  std::filesystem::path state{};
  std::filesystem::path config{};     // of the file, whether or not it is there
  std::filesystem::path workspace{};  // its skills are in <workspace>/skills
  std::filesystem::path managed{};    // <state>/skills
  std::filesystem::path bundled{};    // empty: none
  std::string label = "openclaw";     // of the sources: openclaw-managed, ...
};

struct Workspace {
  Places places{};
  Config config{};
  std::vector<Entry> entries{};  // in the order of their discovery; of a name, the one that counts
  std::vector<std::string> warnings{};  // what was not loaded and why, names that are twice
};

struct WorkspaceOptions {
  std::filesystem::path workspace{};  // instead of what the configuration says
};

// agent_config_invalid, file_unreadable. Blocks.
Result<Workspace> load_workspace(const WorkspaceOptions& options);

// The folders that hold skills, lowest first; they need not be there.
std::vector<std::filesystem::path> skill_roots(const Places& places, const Config& config);

// The one of that name, or of that key; agent_skill_not_found.
Result<const Entry*> entry_of(const Workspace& workspace, std::string_view name);

}  // namespace clawperator::agent_skills
