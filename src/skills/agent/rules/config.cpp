#include "skills/agent/rules/config.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/json5.hpp"

namespace clawperator::agent_skills {
namespace {

// In the order of NodeInstaller.
constexpr std::array<std::string_view, 4> kNodeInstallers{"npm", "pnpm", "yarn", "bun"};

std::string type_of(const Json* value) {
  if (value == nullptr) return "undefined";
  if (value->is_number()) return std::isnan(value->get<double>()) ? "nan" : "number";
  return value->type_name();
}

// What the agent lacks comes from the defaults.
void take_agent(Config* config, const AgentConfig& agent) {
  const AgentConfig& defaults = config->agent_defaults;
  config->workspace = agent.workspace.empty() ? defaults.workspace : agent.workspace;
  config->agent_skills = agent.skills ? agent.skills : defaults.skills;
}

// Collects every problem of the document, each as "path: problem"; valid values are taken over.
class SchemaReader {
 public:
  explicit SchemaReader(const ReadVariable& variable) : variable_(variable) {}

  Config read(std::shared_ptr<const Json> document) {
    config_.document = std::move(document);
    if (config_.document == nullptr) return std::move(config_);
    if (!config_.document->is_object()) {
      complain("", "Invalid input: expected object, received " + type_of(config_.document.get()));
      return std::move(config_);
    }
    read_agents(*config_.document);
    if (const Json* skills = object(*config_.document, "", "skills")) read_skills(*skills);
    return std::move(config_);
  }

  std::vector<std::string> problems;

 private:
  void complain(const std::string& path, const std::string& what) {
    if (problems.size() < kMost) problems.push_back((path.empty() ? "(root)" : path) + ": " + what);
  }

  void warn(const std::string& path, const std::string& what) {
    if (config_.warnings.size() < kMost) config_.warnings.push_back(path + ": " + what);
  }

  static std::string below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  }

  void expected(const std::string& path, const char* type, const Json& value) {
    complain(path,
             std::string("Invalid input: expected ") + type + ", received " + type_of(&value));
  }

  const Json* object(const Json& of, const std::string& path, std::string_view name) {
    const Json* value = find_member(of, name);
    if (value == nullptr || value->is_object()) return value;
    expected(below(path, name), name == "entries" || name == "env" ? "record" : "object", *value);
    return nullptr;
  }

  // A newer host's key must not make the file unusable. `known` has those without effect here, too.
  void only(const Json& object, const std::string& path, std::string_view known) {
    for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
      if (!is_one_of(name, known)) warn(below(path, name), "an unknown key; it has no effect here");
    }
  }

  std::optional<bool> boolean(const Json& of, const std::string& path, const char* name) {
    const Json* value = find_member(of, name);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    expected(below(path, name), "boolean", *value);
    return std::nullopt;
  }

  std::optional<std::uint64_t> whole(const Json& of, const std::string& path, const char* name) {
    // JavaScript's Number.MAX_SAFE_INTEGER, the bound of openclaw's own check.
    constexpr double kGreatest = 9'007'199'254'740'991;
    const Json* value = find_member(of, name);
    if (value == nullptr) return std::nullopt;
    const std::string where = below(path, name);
    if (!value->is_number() || std::isnan(value->get<double>())) {
      expected(where, "number", *value);
      return std::nullopt;
    }
    const double number = value->get<double>();
    if (number != std::floor(number) || std::abs(number) > kGreatest) {
      complain(where, "Invalid input: expected int, received number");
    } else if (number < 0) {
      complain(where, "Too small: expected number to be >=0");
    } else {
      return static_cast<std::uint64_t>(number);
    }
    return std::nullopt;
  }

  // Trimmed, without blank texts.
  std::vector<std::string> texts(const Json& of, const std::string& path, const char* name) {
    std::vector<std::string> found;
    const Json* list = find_member(of, name);
    if (list == nullptr) return found;
    const std::string where = below(path, name);
    if (!list->is_array()) {
      expected(where, "array", *list);
      return found;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& each = (*list)[i];
      if (const std::string* text = string_value(&each)) {
        if (!is_blank(*text)) found.emplace_back(trim_js(*text));
      } else {
        expected(where + "." + std::to_string(i), "string", each);
      }
    }
    return found;
  }

  void read_skills(const Json& skills) {
    only(skills, "skills", "allowBundled load install limits entries workshop");
    config_.allow_bundled = texts(skills, "skills", "allowBundled");
    if (const Json* load = object(skills, "skills", "load")) read_load(*load);
    if (const Json* install = object(skills, "skills", "install")) read_install(*install);
    if (const Json* limits = object(skills, "skills", "limits")) read_limits(*limits);
    const Json* entries = object(skills, "skills", "entries");
    if (entries == nullptr) return;
    for (const auto& [key, entry] : entries->get_ref<const Json::object_t&>()) {
      read_entry(key, entry);
    }
  }

  void read_load(const Json& load) {
    only(load, "skills.load", "extraDirs allowSymlinkTargets watch watchDebounceMs");
    config_.extra_dirs = texts(load, "skills.load", "extraDirs");
    config_.watch = boolean(load, "skills.load", "watch").value_or(true);
    if (const auto ms = whole(load, "skills.load", "watchDebounceMs")) {
      // This fits 32 bits; the watcher's kLongestBurst ends a longer wait anyway.
      constexpr std::uint64_t kLongest = 3'600'000;
      config_.watch_debounce_ms = static_cast<std::uint32_t>(std::min(*ms, kLongest));
    }
  }

  void read_install(const Json& install) {
    only(install, "skills.install", "preferBrew nodeManager allowUploadedArchives");
    config_.prefer_brew = boolean(install, "skills.install", "preferBrew").value_or(true);
    const Json* manager = find_member(install, "nodeManager");
    if (manager == nullptr) return;
    const std::string* name = string_value(manager);
    const auto found = std::ranges::find(kNodeInstallers, name == nullptr ? "" : *name);
    if (found == kNodeInstallers.end()) {
      return complain("skills.install.nodeManager", "Invalid input");
    }
    config_.node_manager = static_cast<NodeInstaller>(found - kNodeInstallers.begin());
  }

  void read_limits(const Json& limits) {
    const std::string path = "skills.limits";
    only(limits, path,
         "maxCandidatesPerRoot maxSkillsLoadedPerSource maxSkillsInPrompt maxSkillsPromptChars "
         "maxSkillFileBytes");
    config_.limits.skills = whole(limits, path, "maxSkillsInPrompt");
    config_.limits.chars = whole(limits, path, "maxSkillsPromptChars");
    config_.max_file_bytes = whole(limits, path, "maxSkillFileBytes");
    config_.max_per_root = whole(limits, path, "maxCandidatesPerRoot");
    config_.max_per_source = whole(limits, path, "maxSkillsLoadedPerSource");
  }

  void read_entry(const std::string& key, const Json& entry) {
    const std::string path = "skills.entries." + key;
    if (!entry.is_object()) return expected(path, "object", entry);
    only(entry, path, "enabled apiKey env config");
    SkillConfig skill{.enabled = boolean(entry, path, "enabled")};
    if (const Json* api_key = find_member(entry, "apiKey")) {
      skill.api_key = secret(path + ".apiKey", *api_key).value_or("");
    }
    if (const Json* env = object(entry, path, "env")) {
      for (const auto& [name, value] : env->get_ref<const Json::object_t&>()) {
        auto text = secret(path + ".env." + name, value);
        if (text) skill.env.emplace_back(name, *std::move(text));
      }
    }
    object(entry, path, "config");
    config_.entries.emplace_back(key, std::move(skill));
  }

  // A text, or a reference to a text that is kept elsewhere.
  std::optional<std::string> secret(const std::string& path, const Json& value) {
    if (const std::string* text = string_value(&value)) return *text;
    if (!value.is_object()) {
      expected(path, "string", value);
      return std::nullopt;
    }
    const std::string* source = string_member(value, "source");
    const std::string* id = string_member(value, "id");
    if (source != nullptr && *source == "env" && id != nullptr) return variable_value(path, *id);
    warn(path, "a secret of the source " + in_quotes(source == nullptr ? "" : *source) +
                   " is not supported here, and has no value; only 'env' with an id is");
    return std::nullopt;
  }

  std::string variable_value(const std::string& path, const std::string& name) {
    std::string value = variable_(name).value_or("");
    if (value.empty()) warn(path, "the variable " + name + " is not set; it has no value");
    return value;
  }

  // A fault in what other programs use as well is no reason to refuse the file.
  AgentConfig agent_of(const Json& json, const std::string& path) {
    AgentConfig agent;
    if (const std::string* id = string_member(json, "id")) agent.id = ascii_lower(trim_js(*id));
    const std::string* workspace = string_member(json, "workspace");
    if (workspace != nullptr) agent.workspace = trim_js(*workspace);
    const Json* skills = find_member(json, "skills");
    if (skills == nullptr || skills->is_null()) return agent;
    if (!skills->is_array()) {
      warn(path + ".skills", "no list of names; it has no effect");
      return agent;
    }
    agent.skills.emplace();
    for (const Json& each : *skills) {
      if (const std::string* name = string_value(&each)) agent.skills->emplace_back(trim_js(*name));
    }
    return agent;
  }

  // The default agent is the one with that flag, else the first one.
  void read_agents(const Json& document) {
    const Json* agents = find_member(document, "agents");
    if (agents == nullptr) return;
    if (const Json* defaults = find_member(*agents, "defaults")) {
      config_.agent_defaults = agent_of(*defaults, "agents.defaults");
    }
    const Json* list = find_member(*agents, "list");
    bool has_default = false;
    for (std::size_t at = 0; list != nullptr && list->is_array() && at < list->size(); ++at) {
      const Json& json = (*list)[at];
      const bool is_default = !has_default && is_true_member(json, "default");
      has_default = has_default || is_default;
      config_.agents.insert(is_default ? config_.agents.begin() : config_.agents.end(),
                            agent_of(json, "agents.list." + std::to_string(at)));
    }
    take_agent(&config_, config_.agents.empty() ? AgentConfig() : config_.agents.front());
  }

  static constexpr std::size_t kMost = 50;  // a person corrects the first few and runs it again

  const ReadVariable& variable_;
  Config config_;
};

bool is_true(const Json& value) {
  const std::string* text = string_value(&value);
  return text ? !is_blank(*text) : is_truthy(value);
}

// One step of a path. `length` of a list is a number, which `out` stores.
const Json* step(const Json& value, std::string_view part, Json* out) {
  if (value.is_object()) return find_member(value, part);
  if (!value.is_array()) return nullptr;
  if (part == "length") {
    *out = static_cast<double>(value.size());
    return out;
  }
  const auto index = whole_number<std::size_t>(part);
  const bool is_index = index && std::to_string(*index) == part && *index < value.size();
  return is_index ? &value[*index] : nullptr;
}

// Null where the path has no value; `length` stores a number that is computed.
const Json* value_at(const Config& config, std::string_view path, Json* length) {
  const Json* value = config.document.get();
  for (const std::string_view part : split(path, '.')) {
    if (!part.empty() && value != nullptr) value = step(*value, part, length);
  }
  return value;
}

}  // namespace

std::string_view name_of(NodeInstaller manager) {
  return kNodeInstallers.at(static_cast<std::size_t>(manager));
}

const SkillConfig* Config::entry(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &std::pair<std::string, SkillConfig>::first);
  return found == entries.end() ? nullptr : &found->second;
}

Result<void> choose_agent(Config* config, std::string_view id) {
  const std::string wanted = ascii_lower(trim_js(id));
  const auto found = std::ranges::find(config->agents, wanted, &AgentConfig::id);
  // Without a list there is one agent, with the host's own name for it.
  if (found == config->agents.end() && config->agents.empty() && wanted == "main") return ok();
  if (found == config->agents.end()) {
    std::string ids;
    for (const AgentConfig& agent : config->agents) ids += (ids.empty() ? "" : ", ") + agent.id;
    return fail(errc::usage, "the configuration has no agent " + in_quotes(id) +
                                 "; its agents are: " + (ids.empty() ? "main" : ids));
  }
  take_agent(config, *found);
  return ok();
}

Result<Config> read_config(std::shared_ptr<const Json> document, const ReadVariable& variable) {
  SchemaReader reader(variable);
  Config config = reader.read(std::move(document));
  if (reader.problems.empty()) return config;
  return fail_with(errc::agent_config_invalid, reader.problems.front(),
                   ErrorMembers().strings("problems", reader.problems));
}

std::optional<Json> config_value(const Config& config, std::string_view path) {
  Json length;
  const Json* value = value_at(config, path, &length);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

bool is_config_true(const Config& config, std::string_view path) {
  Json length;
  if (const Json* value = value_at(config, path, &length)) return is_true(*value);
  // No file at all is an empty object.
  const bool is_root = path.find_first_not_of('.') == path.npos;
  return is_root || path == "browser.enabled" || path == "browser.evaluateEnabled";
}

}  // namespace clawperator::agent_skills
