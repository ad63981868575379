#include "skills/agent/rules/status.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/named_secrets.hpp"
#include "base/text.hpp"
#include "skills/agent/rules/json5.hpp"
#include "skills/agent/rules/prompt.hpp"

namespace clawperator::agent_skills {
namespace {

JsonObject needs_json(const Requires& needs, const std::vector<std::string>& os) {
  JsonObject json;
  json.strings("bins", needs.bins).strings("anyBins", needs.any_bins).strings("env", needs.env);
  return json.strings("config", needs.config).strings("os", os);
}

std::string install_json(std::span<const InstallOption> options) {
  return list_json(options, [](const InstallOption& option) {
    JsonObject row;
    row.text("id", option.id).text("kind", name_of(option.kind)).text("label", option.label);
    return row.strings("bins", option.bins);
  });
}

std::string checks_json(const Entry& entry, const Config& config) {
  return list_json(entry.metadata.needs.config, [&config](const std::string& path) {
    JsonObject row;
    row.text("path", path);
    const auto value = config_value(config, path);
    if (value && (value->is_boolean() || value->is_number())) row.json("value", write_json(*value));
    return row.boolean("satisfied", is_config_true(config, path));
  });
}

void add_emoji(JsonObject* json, const Entry& entry) {
  if (!entry.emoji.empty()) json->text("emoji", entry.emoji);
}

// Only where it is so: most configurations have no such list.
void add_agent_filter(JsonObject* json, const Standing& standing) {
  if (standing.blocked_by_agent) json->boolean("blockedByAgentFilter", true);
}

JsonObject whole_json(const StatusRow& row, std::string_view label, const Config& config) {
  const Entry& entry = *row.entry;
  const Standing& standing = row.standing;
  JsonObject json;
  json.text("name", entry.skill.name).text("description", entry.skill.description);
  json.text("source", source_label(label, entry.skill.source));
  json.text("filePath", entry.skill.file_path).text("baseDir", entry.skill.base_dir);
  json.text("skillKey", entry.key());
  if (!entry.metadata.primary_env.empty()) json.text("primaryEnv", entry.metadata.primary_env);
  add_emoji(&json, entry);
  if (!entry.homepage.empty()) json.text("homepage", entry.homepage);
  json.boolean("always", entry.metadata.always).boolean("disabled", standing.disabled);
  json.boolean("blockedByAllowlist", standing.blocked);
  add_agent_filter(&json, standing);
  json.boolean("eligible", standing.eligible);
  json.object("requirements", needs_json(entry.metadata.needs, entry.metadata.os));
  json.object("missing", needs_json(standing.missing, standing.missing_os));
  json.json("configChecks", checks_json(entry, config));
  return json.json("install", install_json(row.install));
}

JsonObject list_row(const StatusRow& row, std::string_view label) {
  const Entry& entry = *row.entry;
  const Standing& standing = row.standing;
  JsonObject json;
  json.text("name", entry.skill.name).text("description", entry.skill.description);
  add_emoji(&json, entry);
  json.boolean("eligible", standing.eligible).boolean("disabled", standing.disabled);
  json.boolean("blockedByAllowlist", standing.blocked);
  add_agent_filter(&json, standing);
  json.text("source", source_label(label, entry.skill.source));
  if (!entry.metadata.primary_env.empty()) json.text("primaryEnv", entry.metadata.primary_env);
  if (!entry.homepage.empty()) json.text("homepage", entry.homepage);
  return json.object("missing", needs_json(standing.missing, standing.missing_os));
}

void add_part(std::string* text, std::string_view name, const std::vector<std::string>& parts) {
  if (parts.empty()) return;
  if (!text->empty()) *text += "; ";
  text->append(name).append(": ").append(joined(parts, ", "));
}

bool lacks_something(const StatusRow& row) {
  const Standing& standing = row.standing;
  return !standing.eligible && !standing.disabled && !standing.is_blocked();
}

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

class Judge {
 public:
  Judge(const Entry& entry, const Gate& gate)
      : entry_(entry), gate_(gate), settings_(gate.config->entry(entry.key())) {}

  Standing judge() const {
    Standing standing;
    standing.disabled = settings_ != nullptr && settings_->enabled == false;
    standing.blocked = is_blocked();
    standing.blocked_by_agent = is_blocked_by_agent();
    if (!has_platform()) standing.missing_os = entry_.metadata.os;
    if (!entry_.metadata.always) standing.missing = missing();
    const Requires& lacks = standing.missing;
    standing.eligible = !standing.disabled && !standing.is_blocked() &&
                        standing.missing_os.empty() && lacks.bins.empty() &&
                        lacks.any_bins.empty() && lacks.env.empty() && lacks.config.empty();
    return standing;
  }

 private:
  bool is_blocked() const {
    const auto& allowed = gate_.config->allow_bundled;
    return entry_.skill.source == Source::bundled && !allowed.empty() &&
           !contains(allowed, entry_.key()) && !contains(allowed, entry_.skill.name);
  }

  bool is_blocked_by_agent() const {
    const auto& allowed = gate_.config->agent_skills;
    return allowed && !contains(*allowed, entry_.skill.name) && !contains(*allowed, entry_.key());
  }

  bool has_platform() const {
    const auto& wanted = entry_.metadata.os;
    if (wanted.empty() || contains(wanted, gate_.host->platform)) return true;
    return gate_.remote != nullptr &&
           std::ranges::any_of(gate_.remote->platforms,
                               [&](const std::string& each) { return contains(wanted, each); });
  }

  bool has_bin(const std::string& bin) const {
    return gate_.host->has_bin(bin) ||
           (gate_.remote != nullptr && contains(gate_.remote->bins, bin));
  }

  bool has_variable(const std::string& name) const {
    if (const auto value = gate_.host->variable(name); value && !value->empty()) return true;
    if (settings_ == nullptr) return false;
    if (!settings_->api_key.empty() && entry_.metadata.primary_env == name) return true;
    return std::ranges::any_of(settings_->env, [&](const auto& each) {
      return each.first == name && !each.second.empty();
    });
  }

  Requires missing() const {
    const Requires& needs = entry_.metadata.needs;
    Requires lacks;
    std::ranges::copy_if(needs.bins, std::back_inserter(lacks.bins),
                         [&](const std::string& each) { return !has_bin(each); });
    if (std::ranges::none_of(needs.any_bins,
                             [&](const std::string& each) { return has_bin(each); })) {
      lacks.any_bins = needs.any_bins;
    }
    std::ranges::copy_if(needs.env, std::back_inserter(lacks.env),
                         [&](const std::string& each) { return !has_variable(each); });
    std::ranges::copy_if(
        needs.config, std::back_inserter(lacks.config),
        [&](const std::string& each) { return !is_config_true(*gate_.config, each); });
    return lacks;
  }

  const Entry& entry_;
  const Gate& gate_;
  const SkillConfig* settings_;
};

Result<std::vector<std::string>> remote_list(const Json& json, const char* name) {
  std::vector<std::string> list;
  const Json* value = find_member(json, name);
  if (value == nullptr) return list;
  if (value->is_array()) {
    for (const Json& each : *value) {
      const std::string* text = string_value(&each);
      if (text == nullptr) break;
      list.push_back(*text);
    }
    if (list.size() == value->size()) return list;
  }
  return fail(errc::invalid_argument, std::string(name) + " must be a list of texts");
}

// A skill must not change how a loader, a shell, git or an interpreter works.
constexpr std::string_view kDangerous =
    "PATH HOME SHELL IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR EDITOR VISUAL "
    "PAGER BROWSER NODE_OPTIONS NODE_PATH OPENSSL_CONF OPENSSL_MODULES GCONV_PATH GLIBC_TUNABLES "
    "CLAWPERATOR_BIN ADB_PATH";
constexpr std::string_view kDangerousBeginnings[] = {
    "LD_", "DYLD_", "BASH_FUNC_", "GIT_", "npm_config_", "NPM_CONFIG_", "PYTHON", "PERL5", "RUBY"};

bool is_dangerous(std::string_view name) {
  const auto begins = [name](std::string_view each) { return name.starts_with(each); };
  return std::ranges::any_of(kDangerousBeginnings, begins) || name.ends_with("JAVA_OPTIONS") ||
         name.ends_with("_TOOL_OPTIONS") || is_one_of(name, kDangerous);
}

bool is_declared(const Entry& entry, std::string_view name) {
  const auto& wanted = entry.metadata.needs.env;
  return entry.metadata.primary_env == name || std::ranges::find(wanted, name) != wanted.end();
}

bool is_possible(std::string_view name, std::string_view value) {
  return !name.empty() && !name.contains('=') && !name.contains('\0') && !value.contains('\0');
}

}  // namespace

std::vector<StatusRow> status_rows(std::span<const Entry* const> entries, const Gate& gate) {
  const InstallHost host{.platform = gate.host->platform, .has_brew = gate.host->has_bin("brew")};
  std::vector<StatusRow> rows;
  rows.reserve(entries.size());
  for (const Entry* entry : entries) {
    rows.push_back({.entry = entry,
                    .standing = standing_of(*entry, gate),
                    .install = install_options(*entry, *gate.config, host)});
  }
  return rows;
}

std::string report_json(std::span<const StatusRow> rows, const StatusFrame& frame,
                        const Config& config, Detail detail) {
  const auto row_json = [&](const StatusRow& row) {
    return detail == Detail::all ? whole_json(row, frame.label, config)
                                 : list_row(row, frame.label);
  };
  JsonObject json;
  json.text("workspaceDir", frame.workspace_dir).text("managedSkillsDir", frame.managed_dir);
  return json.json("skills", list_json(rows, row_json)).str();
}

std::string info_json(const StatusRow& row, std::string_view label, const Config& config) {
  return whole_json(row, label, config).str();
}

std::string check_json(std::span<const StatusRow> rows) {
  std::vector<std::string> eligible;
  std::vector<std::string> disabled;
  std::vector<std::string> blocked;
  std::vector<StatusRow> missing;
  for (const StatusRow& row : rows) {
    const std::string& name = row.entry->skill.name;
    if (row.standing.eligible) eligible.push_back(name);
    if (row.standing.disabled) disabled.push_back(name);
    if (row.standing.is_blocked() && !row.standing.disabled) blocked.push_back(name);
    if (lacks_something(row)) missing.push_back(row);
  }
  const auto lacking_json = [](const StatusRow& row) {
    JsonObject lacking;
    lacking.text("name", row.entry->skill.name);
    lacking.object("missing", needs_json(row.standing.missing, row.standing.missing_os));
    return lacking.json("install", install_json(row.install));
  };
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  JsonObject summary;
  summary.number("total", count(rows)).number("eligible", count(eligible));
  summary.number("disabled", count(disabled)).number("blocked", count(blocked));
  summary.number("missingRequirements", count(missing));
  JsonObject json;
  json.object("summary", summary).strings("eligible", eligible).strings("disabled", disabled);
  json.strings("blocked", blocked);
  return json.json("missingRequirements", list_json(missing, lacking_json)).str();
}

std::string bins_json(std::span<const Entry* const> entries) {
  std::vector<std::string_view> bins;
  const auto add = [&bins](const std::vector<std::string>& more) {
    bins.insert(bins.end(), more.begin(), more.end());
  };
  for (const Entry* entry : entries) {
    const Metadata& metadata = entry->metadata;
    add(metadata.needs.bins);
    add(metadata.needs.any_bins);
    for (const InstallSpec& spec : metadata.install) add(spec.bins);
  }
  std::ranges::sort(bins);
  const auto repeated = std::ranges::unique(bins);
  bins.erase(repeated.begin(), repeated.end());
  return JsonObject().strings("bins", std::vector<std::string>(bins.begin(), bins.end())).str();
}

std::string missing_text(const Standing& standing) {
  std::string text;
  add_part(&text, "bins", standing.missing.bins);
  add_part(&text, "anyBins", standing.missing.any_bins);
  add_part(&text, "env", standing.missing.env);
  add_part(&text, "config", standing.missing.config);
  add_part(&text, "os", standing.missing_os);
  return text;
}

Result<Remote> read_remote(std::string_view json) {
  TRY(const Json document, with_code(errc::invalid_argument, read_json5(json)));
  if (!document.is_object()) return fail(errc::invalid_argument, "an object was expected");
  Remote remote;
  TRY(remote.platforms, remote_list(document, "platforms"));
  TRY(remote.bins, remote_list(document, "bins"));
  const Json* note = find_member(document, "note");
  if (note == nullptr || note->is_null()) return remote;
  const std::string* text = string_value(note);
  if (text == nullptr) return fail(errc::invalid_argument, "note must be a text");
  remote.note = *text;
  return remote;
}

Standing standing_of(const Entry& entry, const Gate& gate) { return Judge(entry, gate).judge(); }

std::vector<const Entry*> eligible_entries(std::span<const Entry* const> entries, const Gate& gate,
                                           const NameFilter& filter) {
  std::vector<const Entry*> eligible;
  for (const Entry* entry : entries) {
    const auto is_it = [&](const std::string& each) { return trim_js(each) == entry->skill.name; };
    const bool is_named = !filter || std::ranges::any_of(*filter, is_it);
    if (is_named && standing_of(*entry, gate).eligible) eligible.push_back(entry);
  }
  return eligible;
}

EnvPlan plan_env(std::span<const Entry* const> entries, const Config& config,
                 const std::function<std::optional<std::string>(const std::string&)>& variable,
                 EnvRules rules) {
  EnvPlan plan;
  const bool strict = rules == EnvRules::strict;
  const auto is_set = [&](const std::string& name) {
    const auto present = variable(name);
    return (present && !present->empty()) ||
           std::ranges::find(plan.overrides, name, &EnvOverride::name) != plan.overrides.end();
  };
  const auto add = [&](const Entry& entry, std::string name, std::string value) {
    if (value.empty() || is_set(name)) return;
    const char* reason = !is_possible(name, value)      ? "no name of a variable"
                         : strict && is_dangerous(name) ? "it changes which programs run"
                         : strict && names_secret(name) && !is_declared(entry, name)
                             ? "a secret that the skill does not declare"
                             : nullptr;
    if (reason != nullptr) {
      plan.refused.push_back(
          {.name = std::move(name), .skill = entry.skill.name, .reason = reason});
    } else {
      plan.overrides.push_back(
          {.name = std::move(name), .value = std::move(value), .skill = entry.skill.name});
    }
  };
  for (const Entry* entry : entries) {
    const SkillConfig* settings = config.entry(entry->key());
    if (settings == nullptr && strict) settings = config.entry(entry->skill.name);
    if (settings == nullptr) continue;
    for (const auto& [name, value] : settings->env) {
      add(*entry, strict ? std::string(trim_js(name)) : name, value);
    }
    const std::string& primary = entry->metadata.primary_env;
    const std::string& key = settings->api_key;
    if (!primary.empty()) add(*entry, primary, strict ? std::string(trim_js(key)) : key);
  }
  return plan;
}

}  // namespace clawperator::agent_skills
