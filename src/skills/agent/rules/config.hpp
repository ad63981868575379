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
  std::string workspace{};                 // of the default agent; empty: none is named
  std::vector<std::string> workspaces{};   // of every agent that names one
  std::shared_ptr<const Json> document{};  // all of the file, values put in; null: no file

  [[nodiscard]] const SkillConfig* entry(std::string_view key) const;
};

// What resolve_config reads besides the text.
struct ConfigReading {
  // The text of another file, by its path relative to the one that names it; `resolved` gets its
  // path.
  std::function<Result<std::string>(const std::string& path, std::string* resolved)> read{};
  std::function<std::optional<std::string>(const std::string& name)> variable{};
};
// A configuration file, JSON5, with its includes merged in and its ${VARIABLES} replaced.
// {"$include": "other.json5"}, or a list of files, stands for the content of the files, merged in
// their order; members beside it win. "$${NAME}" is the text "${NAME}"; a variable that is unset or
// empty is an error.
Result<Json> resolve_config(std::string_view text, const std::string& path,
                            const ConfigReading& reading);

// Reads a document whose includes and variables are resolved. agent_config_invalid with every
// problem, each with its exact path ("skills.entries.gog.enabled: ...").
Result<Config> read_config(std::shared_ptr<const Json> document);

// A copy of the value at the path; absent where there is none.
std::optional<Json> config_value(const Config& config, std::string_view path);

// Whether the value at the path (`browser.enabled`, `a.0`) is true in JavaScript's sense, except
// that blank texts are false. A missing value is false, apart from the host's defaults.
bool is_config_true(const Config& config, std::string_view path);

}  // namespace clawperator::agent_skills
