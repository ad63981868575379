#pragma once
// The part of the agent's configuration file that is about skills. Pure.

#include "base/error.hpp"
#include "base/json_document.hpp"

namespace clawperator::agent_skills {

// `skills.entries.<key>`.
struct SkillConfig {
  std::optional<bool> enabled{};
  std::string api_key{};                                   // a secret
  std::vector<std::pair<std::string, std::string>> env{};  // secrets, in the order of the file
};

// `skills.limits`; absent: no limit.
struct PromptLimits {
  std::optional<std::size_t> skills{};  // maxSkillsInPrompt
  std::optional<std::size_t> chars{};   // maxSkillsPromptChars, in UTF-16 units
};

// Of `agents.list`, and `agents.defaults` for the members that an agent lacks.
struct AgentConfig {
  std::string id{};         // in lower case
  std::string workspace{};  // its own; empty: none is named
  // The names of the skills that it may use; absent: those of the defaults.
  std::optional<std::vector<std::string>> skills{};
};

enum class NodeInstaller { npm, pnpm, yarn, bun };
std::string_view name_of(NodeInstaller manager);

struct Config {
  std::vector<std::string> allow_bundled{};  // trimmed; empty: every bundled skill is allowed
  std::vector<std::string> extra_dirs{};     // trimmed, not expanded yet
  bool watch = true;
  std::uint32_t watch_debounce_ms = 250;
  bool prefer_brew = true;
  NodeInstaller node_manager = NodeInstaller::npm;
  PromptLimits limits{};
  std::optional<std::size_t> max_file_bytes{};  // limits.maxSkillFileBytes: larger ones are skipped
  std::optional<std::size_t> max_per_root{};    // limits.maxCandidatesPerRoot
  std::optional<std::size_t> max_per_source{};  // limits.maxSkillsLoadedPerSource
  std::vector<std::pair<std::string, SkillConfig>> entries{};
  std::vector<AgentConfig> agents{};       // the default agent first
  AgentConfig agent_defaults{};            // without an id
  std::vector<std::string> warnings{};     // what has no effect here, each with its path
  std::shared_ptr<const Json> document{};  // all of the file, values put in; null: no file

  // Of the agent that was chosen, see choose_agent; the default one's otherwise.
  std::string workspace{};                                 // empty: none is named
  std::optional<std::vector<std::string>> agent_skills{};  // absent: all

  [[nodiscard]] const SkillConfig* entry(std::string_view key) const;
};

// A name that "${NAME}" and "$NAME" may have: A-Z, 0-9 and '_', first no digit.
bool is_variable_name(std::string_view text);

using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

// What resolve_config reads besides the text.
struct ConfigReading {
  // The text of another file, by its path relative to the one that names it; `resolved` gets its
  // path.
  std::function<Result<std::string>(const std::string& path, std::string* resolved)> read{};
  ReadVariable variable{};
  std::function<void(std::string)> warn = [](const std::string&) {};
};
// A configuration file, JSON5, with its includes merged in and its ${VARIABLES} replaced.
// {"$include": "other.json5"}, or a list of files, stands for the content of the files, merged in
// their order; members beside it win. "$${NAME}" is the text "${NAME}". A variable that is unset or
// empty is an error in `skills`; elsewhere it is a warning, and the text counts as blank. An
// `apiKey` of "$NAME" becomes {"source":"env","id":"NAME"}; such an id is a name as it stands.
Result<Json> resolve_config(std::string_view text, const std::string& path,
                            const ConfigReading& reading);

// Reads a document whose includes and variables are resolved. agent_config_invalid with every
// problem, each with its exact path ("skills.entries.gog.enabled: ..."). A key that is unknown here
// is a warning. A secret may be {"source":"env","id":"NAME"}; other sources are warnings.
Result<Config> read_config(std::shared_ptr<const Json> document, const ReadVariable& variable);

// Takes the workspace and the skills of the agent with this id. usage with the ids that there are.
Result<void> choose_agent(Config* config, std::string_view id);

// A copy of the value at the path; absent where there is none.
std::optional<Json> config_value(const Config& config, std::string_view path);

// Whether the value at the path (`browser.enabled`, `a.0`) is true in JavaScript's sense, except
// that blank texts are false. A missing value is false, apart from the host's defaults.
bool is_config_true(const Config& config, std::string_view path);

}  // namespace clawperator::agent_skills
