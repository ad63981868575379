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

// Where things are. ~/.openclaw, else the first that is there of ~/.clawdbot, ~/.moltbot,
// ~/.moldbot,
// ~/.clawdis; OPENCLAW_*, CLAWDBOT_* and CLAWDIS_* _STATE_DIR, _CONFIG_PATH and _BUNDLED_SKILLS_DIR
// come first, the newest spelling before the others.
struct SkillFolders {
  std::filesystem::path state{};
  std::filesystem::path config{};     // of the file, whether or not it is there
  std::filesystem::path workspace{};  // its skills are in <workspace>/skills
  std::filesystem::path managed{};    // <state>/skills
  std::filesystem::path bundled{};    // empty: none
  std::string label = "openclaw";     // of the sources: openclaw-managed, ...
};

struct Workspace {
  SkillFolders folders{};
  Config config{};
  // In the order of their discovery; of a name, the one that counts.
  std::vector<const Entry*> entries{};
  std::vector<std::shared_ptr<const Entry>> kept{};  // what they point to
  std::vector<std::string> warnings{};  // what was not loaded and why, names that are twice
};

struct WorkspaceOptions {
  std::filesystem::path workspace{};  // instead of what the configuration says
  bool contained = false;             // no link leads out of a folder of skills
};

// Where things are and what the configuration says; no skill is looked for. agent_config_invalid,
// file_unreadable. Blocks.
Result<Workspace> find_workspace(const WorkspaceOptions& options);

// The same with its skills. Who loads again and again keeps `files`.
Result<Workspace> load_workspace(const WorkspaceOptions& options, SkillFiles* files = nullptr);

SkillFolders find_skill_folders();

// "~" is the user's home, a relative path is of the working folder.
std::filesystem::path absolute_path(std::string_view path);

// Of a file that may not be there; `document` is null then. Its includes and variables are put in.
Result<Config> load_config(const std::filesystem::path& path);
// The text of a configuration file; absent where there is none. file_unreadable for anything else.
Result<std::optional<std::string>> read_config_file(const std::filesystem::path& path);
// Of the text that stands, or is to stand, in the file `path`.
Result<Config> read_config_text(std::string_view text, const std::filesystem::path& path);

// The folders in which users change skills; they need not be there. None where skills.load.watch is
// false.
std::vector<std::filesystem::path> watched_roots(const Workspace& workspace);

// What `agent-skills list` and GET /agent-skills/status report.
std::string report_json(const Workspace& workspace, std::span<const StatusRow> rows, Detail detail);

// What of this computer decides which skills may be used: PATH and the environment as they are when
// it is asked; what was found on the PATH is remembered as long as the facts are.
HostFacts host_facts();

// The one of that name, or of that key; agent_skill_not_found.
Result<const Entry*> entry_of(const Workspace& workspace, std::string_view name);

// The configuration of one skill, changed in the user's file: its comments, its order and its
// ${VARIABLES} stay as they are, and so does everything that is not named here.
struct SkillChange {
  std::string key{};  // of `skills.entries`
  std::optional<bool> enabled{};
  std::optional<std::string> api_key{};                    // blank: it goes
  std::vector<std::pair<std::string, std::string>> env{};  // trimmed; a blank value: it goes
};

inline constexpr std::size_t kMostVariables = 64;  // of one change

// Writes the file, which is its user's alone then; makes it where there is none.
// agent_config_invalid for what is wrong with it already; usage for a change that cannot be made,
// its own fault or because what is to go stands in an included file. file_unreadable,
// file_write_failed, deadline_exceeded, io.
// {"ok":true,"skillKey","config":{...}}, its secrets hidden. Blocks.
Result<std::string> change_skill(const SkillFolders& folders, const SkillChange& change);

}  // namespace clawperator::agent_skills
