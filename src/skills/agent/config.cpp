#include "skills/agent/config.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::agent_skills {
namespace {

std::string type_of(const Json* value) {
  if (value == nullptr) return "undefined";
  if (value->is_number()) return std::isnan(value->get<double>()) ? "nan" : "number";
  return value->type_name();
}

// Every problem of the document, each as "where: what"; what is right is taken over.
class SchemaReader {
 public:
  Config read(std::shared_ptr<const Json> document) {
    config_.document = std::move(document);
    if (config_.document == nullptr) return std::move(config_);
    if (!config_.document->is_object()) {
      complain("", "Invalid input: expected object, received " + type_of(config_.document.get()));
      return std::move(config_);
    }
    read_workspace(*config_.document);
    if (const Json* skills = object(*config_.document, "", "skills")) read_skills(*skills);
    return std::move(config_);
  }

  std::vector<std::string> problems;

 private:
  void complain(const std::string& path, const std::string& what) {
    constexpr std::size_t kMost = 50;
    if (problems.size() < kMost) problems.push_back((path.empty() ? "(root)" : path) + ": " + what);
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

  void only(const Json& object, const std::string& path, std::span<const std::string_view> known) {
    std::string unknown;
    int count = 0;
    for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
      if (std::ranges::find(known, name) != known.end()) continue;
      unknown += (count++ ? ", \"" : "\"") + name + "\"";
    }
    if (count > 0)
      complain(path, (count > 1 ? "Unrecognized keys: " : "Unrecognized key: ") + unknown);
  }

  std::optional<bool> boolean(const Json& of, const std::string& path, const char* name) {
    const Json* value = find_member(of, name);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    expected(below(path, name), "boolean", *value);
    return std::nullopt;
  }

  std::optional<std::uint64_t> whole(const Json& of, const std::string& path, const char* name) {
    constexpr double kMost = 9'007'199'254'740'991;
    const Json* value = find_member(of, name);
    if (value == nullptr) return std::nullopt;
    const std::string where = below(path, name);
    if (!value->is_number() || std::isnan(value->get<double>())) {
      expected(where, "number", *value);
      return std::nullopt;
    }
    const double number = value->get<double>();
    if (number != std::floor(number) || std::abs(number) > kMost) {
      complain(where, "Invalid input: expected int, received number");
    } else if (number < 0) {
      complain(where, "Too small: expected number to be >=0");
    } else {
      return static_cast<std::uint64_t>(number);
    }
    return std::nullopt;
  }

  // Trimmed, without what is blank.
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
    static constexpr std::array<std::string_view, 5> kKnown{"allowBundled", "load", "install",
                                                            "limits", "entries"};
    only(skills, "skills", kKnown);
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
    static constexpr std::array<std::string_view, 3> kKnown{"extraDirs", "watch",
                                                            "watchDebounceMs"};
    only(load, "skills.load", kKnown);
    config_.extra_dirs = texts(load, "skills.load", "extraDirs");
    config_.watch = boolean(load, "skills.load", "watch").value_or(true);
    if (const auto ms = whole(load, "skills.load", "watchDebounceMs")) {
      constexpr std::uint64_t kMost = 3'600'000;
      config_.watch_debounce_ms = static_cast<std::uint32_t>(std::min(*ms, kMost));
    }
  }

  void read_install(const Json& install) {
    static constexpr std::array<std::string_view, 2> kKnown{"preferBrew", "nodeManager"};
    only(install, "skills.install", kKnown);
    config_.prefer_brew = boolean(install, "skills.install", "preferBrew").value_or(true);
    const Json* manager = find_member(install, "nodeManager");
    if (manager == nullptr) return;
    const std::string* name = string_value(manager);
    for (const NodeInstaller each :
         {NodeInstaller::npm, NodeInstaller::pnpm, NodeInstaller::yarn, NodeInstaller::bun}) {
      if (name != nullptr && *name == name_of(each)) {
        config_.node_manager = each;
        return;
      }
    }
    complain("skills.install.nodeManager", "Invalid input");
  }

  void read_limits(const Json& limits) {
    static constexpr std::array<std::string_view, 5> kKnown{
        "maxCandidatesPerRoot", "maxSkillsLoadedPerSource", "maxSkillsInPrompt",
        "maxSkillsPromptChars", "maxSkillFileBytes"};
    const std::string path = "skills.limits";
    only(limits, path, kKnown);
    config_.limits.skills = whole(limits, path, "maxSkillsInPrompt");
    config_.limits.chars = whole(limits, path, "maxSkillsPromptChars");
    config_.max_file_bytes = whole(limits, path, "maxSkillFileBytes");
    config_.max_per_root = whole(limits, path, "maxCandidatesPerRoot");
    config_.max_per_source = whole(limits, path, "maxSkillsLoadedPerSource");
  }

  void read_entry(const std::string& key, const Json& entry) {
    static constexpr std::array<std::string_view, 4> kKnown{"enabled", "apiKey", "env", "config"};
    const std::string path = "skills.entries." + key;
    if (!entry.is_object()) return expected(path, "object", entry);
    only(entry, path, kKnown);
    SkillConfig skill{.enabled = boolean(entry, path, "enabled")};
    const Json* api_key = find_member(entry, "apiKey");
    if (const std::string* text = string_value(api_key)) {
      skill.api_key = *text;
    } else if (api_key != nullptr && !api_key->is_object()) {
      expected(path + ".apiKey", "string", *api_key);  // an object names a secret kept elsewhere
    }
    if (const Json* env = object(entry, path, "env")) {
      for (const auto& [name, value] : env->get_ref<const Json::object_t&>()) {
        if (const std::string* text = string_value(&value)) {
          skill.env.emplace_back(name, *text);
        } else {
          expected(path + ".env." + name, "string", value);
        }
      }
    }
    object(entry, path, "config");
    config_.entries.emplace_back(key, std::move(skill));
  }

  static std::string workspace_of(const Json* agent) {
    const std::string* named =
        agent == nullptr ? nullptr : string_value(find_member(*agent, "workspace"));
    return named == nullptr ? "" : std::string(trim_js(*named));
  }

  // The default agent is the one that says so, else the first; what it does not name, all have.
  void read_workspace(const Json& document) {
    const Json* agents = find_member(document, "agents");
    if (agents == nullptr) return;
    const Json* chosen = nullptr;
    const Json* list = find_member(*agents, "list");
    if (list != nullptr && list->is_array() && !list->empty()) {
      const auto is_default = [](const Json& agent) {
        const Json* said = find_member(agent, "default");
        return said != nullptr && *said == true;
      };
      const auto found = std::ranges::find_if(*list, is_default);
      chosen = found == list->end() ? &list->front() : &*found;
      for (const Json& agent : *list) {
        std::string named = workspace_of(&agent);
        if (!named.empty()) config_.workspaces.push_back(std::move(named));
      }
    }
    config_.workspace = workspace_of(chosen);
    if (config_.workspace.empty())
      config_.workspace = workspace_of(find_member(*agents, "defaults"));
  }

  Config config_;
};

bool is_true(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) {
    const double number = value.get<double>();
    return number != 0 && !std::isnan(number);
  }
  if (const std::string* text = string_value(&value)) return !is_blank(*text);
  return !value.is_null();
}

// One step of a path; `length` of a list is a number, which `out` holds.
const Json* step(const Json& value, std::string_view part, Json* out) {
  if (value.is_object()) return find_member(value, part);
  if (!value.is_array()) return nullptr;
  if (part == "length") {
    *out = static_cast<double>(value.size());
    return out;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool is_index = error == std::errc() && end == part.data() + part.size() &&
                        std::to_string(index) == part && index < value.size();
  return is_index ? &value[index] : nullptr;
}

// Null where there is nothing; `length` is room for a number that is made.
const Json* value_at(const Config& config, std::string_view path, Json* length) {
  const Json* value = config.document.get();
  while (!path.empty() && value != nullptr) {
    const auto dot = std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    if (!part.empty()) value = step(*value, part, length);
  }
  return value;
}

}  // namespace

std::string_view name_of(NodeInstaller manager) {
  switch (manager) {
    case NodeInstaller::npm: return "npm";
    case NodeInstaller::pnpm: return "pnpm";
    case NodeInstaller::yarn: return "yarn";
    case NodeInstaller::bun: return "bun";
  }
  return "npm";
}

const SkillConfig* Config::entry(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &std::pair<std::string, SkillConfig>::first);
  return found == entries.end() ? nullptr : &found->second;
}

Result<Config> read_config(std::shared_ptr<const Json> document) {
  SchemaReader reader;
  Config config = reader.read(std::move(document));
  if (reader.problems.empty()) return config;
  const auto details = ErrorMembers().strings("problems", reader.problems);
  return fail(errc::agent_config_invalid, reader.problems.front(),
              ErrorMembers().object("details", details).str());
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
