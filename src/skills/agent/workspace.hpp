#pragma once
// The agent skills of this computer: the configuration file of the agent's host, the folders that
// it names, and every skill in them.
//
//   <extra dirs of the configuration> < bundled < managed (STATE/skills) < <workspace>/skills

#include <filesystem>

#include "base/error.hpp"
#include "skills/agent/rules/status.hpp"

namespace clawperator::agent_skills {

class SkillFiles;

// A person's configuration has a few KiB; all of it is kept as a document.
inline constexpr std::size_t kMaxConfigBytes = 1 << 20;

// The places of the agent's files. ~/.openclaw, else the first that exists of ~/.clawdbot,
// ~/.moltbot, ~/.moldbot, ~/.clawdis; OPENCLAW_*, CLAWDBOT_* and CLAWDIS_* _STATE_DIR, _CONFIG_PATH
// and _BUNDLED_SKILLS_DIR come first, the newest spelling before the others.
struct SkillFolders {
  std::filesystem::path state{};
  std::filesystem::path config{};     // of the file, which may be missing
  std::filesystem::path workspace{};  // its skills are in <workspace>/skills
  std::filesystem::path managed{};    // <state>/skills
  std::filesystem::path bundled{};    // empty: none
  std::string label = "openclaw";     // of the sources: openclaw-managed, ...
};

struct Workspace {
  SkillFolders folders{};
  Config config{};
  // In the order of their discovery; of a repeated name the one that counts.
  std::vector<const Entry*> entries{};
  std::vector<std::shared_ptr<const Entry>> kept{};  // the owners of these pointers
  std::vector<std::string> warnings{};               // what was not loaded and why; repeated names
};

struct WorkspaceOptions {
  std::filesystem::path workspace{};   // in place of the configured one
  std::optional<std::string> agent{};  // the id of a configured one; absent: the default agent
  bool contained = false;  // leave out files that a link outside of a skills' folder leads to
};

// Finds the folders and reads the configuration, but no skills. agent_config_invalid,
// file_unreadable; usage for an unknown agent. Blocks.
Result<Workspace> find_workspace(const WorkspaceOptions& options);

// The same with its skills. A caller that loads often keeps `files`.
Result<Workspace> load_workspace(const WorkspaceOptions& options, SkillFiles* files = nullptr);

SkillFolders find_skill_folders();

// "~" is the user's home, a relative path is of the working folder.
std::filesystem::path absolute_path(std::string_view path);

// Reads a file that may be missing; `document` is null then. Its includes and variables are
// resolved.
Result<Config> load_config(const std::filesystem::path& path);
// The text of a configuration file; absent where there is none. file_unreadable for anything else.
Result<std::optional<std::string>> read_config_file(const std::filesystem::path& path);
// Reads the present or future text of the file `path`.
Result<Config> read_config_text(std::string_view text, const std::filesystem::path& path);

// The folders in which users change skills; they may be missing. None where skills.load.watch is
// false.
std::vector<std::filesystem::path> watched_roots(const Workspace& workspace);

// The report of `agent-skills list` and GET /agent-skills/status.
std::string report_json(const Workspace& workspace, std::span<const StatusRow> rows, Detail detail);

// The facts about this computer that decide which skills may be used. PATH and the environment are
// read at each query; programs that were found on the PATH are remembered as long as the facts
// live.
HostFacts host_facts();

// The one of that name, or of that key; agent_skill_not_found.
Result<const Entry*> entry_of(const Workspace& workspace, std::string_view name);

// Changes the configuration of one skill in the user's file. Its comments, its order and its
// ${VARIABLES} stay, and so do all other members.
struct SkillChange {
  std::string key{};  // of `skills.entries`
  std::optional<bool> enabled{};
  std::optional<std::string> api_key{};                    // blank: removed
  std::vector<std::pair<std::string, std::string>> env{};  // trimmed; a blank value: removed
};

inline constexpr std::size_t kMostVariables = 64;  // of one change

// Writes the file, private to its user; makes a missing one. agent_config_invalid for a file that
// is invalid already; usage for an impossible change, for example of a value in an included file.
// file_unreadable, file_write_failed, deadline_exceeded, io. {"ok":true,"skillKey","config":{...}},
// with its secrets hidden. Blocks.
Result<std::string> change_skill(const SkillFolders& folders, const SkillChange& change);

}  // namespace clawperator::agent_skills
