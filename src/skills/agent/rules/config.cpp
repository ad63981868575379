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

// Collects every problem of the document, each as "path: problem"; valid values are taken over.
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
    constexpr std::size_t kMost = 50;  // a person corrects the first few and runs it again
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

  void only(const Json& object, const std::string& path, std::string_view known) {
    std::string unknown;
    int count = 0;
    for (const auto& [name, value] : object.get_ref<const Json::object_t&>()) {
      if (is_one_of(name, known)) continue;
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
    // JavaScript's Number.MAX_SAFE_INTEGER, the bound of openclaw's own check.
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
    only(skills, "skills", "allowBundled load install limits entries");
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
    only(load, "skills.load", "extraDirs watch watchDebounceMs");
    config_.extra_dirs = texts(load, "skills.load", "extraDirs");
    config_.watch = boolean(load, "skills.load", "watch").value_or(true);
    if (const auto ms = whole(load, "skills.load", "watchDebounceMs")) {
      // This fits 32 bits; the watcher's kLongestBurst ends a longer wait anyway.
      constexpr std::uint64_t kMost = 3'600'000;
      config_.watch_debounce_ms = static_cast<std::uint32_t>(std::min(*ms, kMost));
    }
  }

  void read_install(const Json& install) {
    only(install, "skills.install", "preferBrew nodeManager");
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
    const std::string* named = agent == nullptr ? nullptr : string_member(*agent, "workspace");
    return named == nullptr ? "" : std::string(trim_js(*named));
  }

  // The default agent is the one with that flag, else the first one; members that it lacks come
  // from the common ones.
  void read_workspace(const Json& document) {
    const Json* agents = find_member(document, "agents");
    if (agents == nullptr) return;
    const Json* chosen = nullptr;
    const Json* list = find_member(*agents, "list");
    if (list != nullptr && list->is_array() && !list->empty()) {
      const auto is_default = [](const Json& agent) { return is_true_member(agent, "default"); };
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

constexpr std::size_t kMaxIncludes = 10;          // one within the other
constexpr std::size_t kMaxFiles = 100;            // in all
constexpr std::size_t kMaxSubstituted = 4 << 20;  // bytes of all texts with variables in them

bool is_variable_char(char c, bool is_first) {
  return (c >= 'A' && c <= 'Z') || c == '_' || (!is_first && is_digit(c));
}

// The NAME of "${NAME}" at the front of `text`; empty: there is none.
std::string_view variable_at(std::string_view text) {
  if (!text.starts_with("${")) return {};
  std::size_t end = 2;
  while (end < text.size() && is_variable_char(text[end], end == 2)) ++end;
  const bool is_closed = end > 2 && end < text.size() && text[end] == '}';
  return is_closed ? text.substr(2, end - 2) : std::string_view();
}

// Merges objects member by member and concatenates lists; of other values the later one stays.
void merge_into(Json* into, Json from) {
  if (into->is_object() && from.is_object()) {
    for (auto& [name, value] : from.get_ref<Json::object_t&>()) {
      if (into->contains(name)) {
        merge_into(&(*into)[name], std::move(value));
      } else {
        (*into)[name] = std::move(value);
      }
    }
  } else if (into->is_array() && from.is_array()) {
    for (Json& each : from) into->push_back(std::move(each));
  } else {
    *into = std::move(from);
  }
}

std::unexpected<Error> invalid(const std::string& message) {
  return fail(errc::agent_config_invalid, message);
}

class Resolver {
 public:
  explicit Resolver(const ConfigReading& reading) : reading_(reading) {}

  Result<Json> file(std::string_view text, const std::string& path) {
    if (open_.size() > kMaxIncludes)
      return invalid("$include goes deeper than 10 files at " + path);
    if (++files_ > kMaxFiles) return invalid("$include names more than 100 files");
    if (std::ranges::find(open_, path) != open_.end()) {
      return invalid("$include leads back to " + path);
    }
    auto json = read_json5(text);
    if (!json) {
      // The caller adds the path of the first file.
      return invalid((open_.empty() ? "" : path + ": ") + json.error().message());
    }
    open_.push_back(path);
    TRY_VOID(put_includes_in(&*json));
    open_.pop_back();
    return *std::move(json);
  }

  Result<void> put_variables_in(Json* value, const std::string& path) {
    if (value->is_string()) return substitute(value, path);
    if (value->is_object()) {
      for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
        TRY_VOID(put_variables_in(&member, path.empty() ? name : path + "." + name));
      }
    } else if (value->is_array()) {
      for (std::size_t i = 0; i < value->size(); ++i) {
        TRY_VOID(put_variables_in(&(*value)[i], path + "." + std::to_string(i)));
      }
    }
    return ok();
  }

 private:
  Result<void> put_includes_in(Json* value) {
    if (value->is_array()) {
      for (Json& each : *value) TRY_VOID(put_includes_in(&each));
    }
    if (!value->is_object()) return ok();
    Json beside = Json::object();
    const Json* include = nullptr;
    for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
      if (name == "$include") {
        include = &member;
        continue;
      }
      TRY_VOID(put_includes_in(&member));
    }
    if (include == nullptr) return ok();
    TRY(Json included, included_by(*include));
    for (auto& [name, member] : value->get_ref<Json::object_t&>()) {
      if (name != "$include") beside[name] = std::move(member);
    }
    if (!beside.empty() && !included.is_object()) {
      return invalid("members beside $include want the included file to be an object");
    }
    if (!beside.empty()) merge_into(&included, std::move(beside));
    *value = std::move(included);
    return ok();
  }

  Result<Json> included_by(const Json& include) {
    if (const std::string* path = string_value(&include)) return read(*path);
    if (!include.is_array()) return invalid("$include must be a path, or a list of paths");
    Json whole = Json::object();
    for (const Json& each : include) {
      const std::string* path = string_value(&each);
      if (path == nullptr) return invalid("$include must be a path, or a list of paths");
      TRY(Json part, read(*path));
      merge_into(&whole, std::move(part));
    }
    return whole;
  }

  Result<Json> read(const std::string& path) {
    std::string resolved = open_.back();
    auto text = reading_.read(path, &resolved);
    if (!text) return invalid("$include " + in_quotes(path) + ": " + text.error().message());
    return file(*text, resolved);
  }

  Result<void> substitute(Json* value, const std::string& path) {
    const std::string& text = value->get_ref<const std::string&>();
    if (!text.contains("${")) return ok();
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const std::string_view rest = std::string_view(text).substr(i);
      if (rest.starts_with("$$") && !variable_at(rest.substr(1)).empty()) {
        const std::string_view name = variable_at(rest.substr(1));
        out.append("${").append(name).append("}");
        i += name.size() + 4;
      } else if (const std::string_view name = variable_at(rest); !name.empty()) {
        const auto found = reading_.variable(std::string(name));
        if (!found || found->empty()) {
          return invalid("Missing env var \"" + std::string(name) +
                         "\" referenced at config path: " + path);
        }
        out += *found;
        i += name.size() + 3;
      } else {
        out += text[i++];
      }
      if (out.size() > kMaxSubstituted) return invalid(path + ": too long");
    }
    substituted_ += out.size();
    if (substituted_ > kMaxSubstituted) return invalid("the variables make too much text");
    *value = std::move(out);
    return ok();
  }

  const ConfigReading& reading_;
  std::vector<std::string> open_;
  std::size_t files_ = 0;
  std::size_t substituted_ = 0;
};

}  // namespace

std::string_view name_of(NodeInstaller manager) {
  return kNodeInstallers.at(static_cast<std::size_t>(manager));
}

const SkillConfig* Config::entry(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &std::pair<std::string, SkillConfig>::first);
  return found == entries.end() ? nullptr : &found->second;
}

Result<Config> read_config(std::shared_ptr<const Json> document) {
  SchemaReader reader;
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

Result<Json> resolve_config(std::string_view text, const std::string& path,
                            const ConfigReading& reading) {
  Resolver resolver(reading);
  TRY(Json document, resolver.file(text, path));
  TRY_VOID(resolver.put_variables_in(&document, ""));
  return document;
}

}  // namespace clawperator::agent_skills
