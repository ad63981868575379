#pragma once
// The part of the agent's configuration file that is about skills. Pure.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator::agent_skills {

// `skills.entries.<key>`.
struct SkillConfig {
  std::optional<bool> enabled{};
  std::string api_key{};                                   // a secret
  std::vector<std::pair<std::string, std::string>> env{};  // secrets, in the order of the file
};

enum class NodeManager { npm, pnpm, yarn, bun };
std::string_view name_of(NodeManager manager);

struct Config {
  std::vector<std::string> allow_bundled{};  // trimmed; empty: every bundled skill is allowed
  std::vector<std::string> extra_dirs{};     // trimmed, not expanded yet
  bool watch = true;
  std::uint32_t watch_debounce_ms = 250;
  bool prefer_brew = true;
  NodeManager node_manager = NodeManager::npm;
  std::vector<std::pair<std::string, SkillConfig>> entries{};
  std::string workspace{};                 // of the default agent; empty: none is named
  std::shared_ptr<const Json> document{};  // all of the file, values put in; null: no file

  [[nodiscard]] const SkillConfig* entry(std::string_view key) const;
};

// Of a document whose includes and variables are resolved. agent_config_invalid with every problem,
// each with its exact path ("skills.entries.gog.enabled: ...").
Result<Config> read_config(std::shared_ptr<const Json> document);

// Is what stands at the path (`browser.enabled`, `a.0`) true, as JavaScript has it for all but
// blank texts? What is missing is false, but for the host's defaults.
bool is_config_true(const Config& config, std::string_view path);

}  // namespace clawperator::agent_skills
