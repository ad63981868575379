#include "skills/agent/env_overrides.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::agent_skills {
namespace {

// What a loader, a shell, git or an interpreter does because of them is none of a skill's business.
constexpr std::array<std::string_view, 23> kDangerous{"PATH",
                                                      "HOME",
                                                      "SHELL",
                                                      "IFS",
                                                      "ENV",
                                                      "BASH_ENV",
                                                      "SHELLOPTS",
                                                      "BASHOPTS",
                                                      "PS4",
                                                      "PROMPT_COMMAND",
                                                      "ZDOTDIR",
                                                      "EDITOR",
                                                      "VISUAL",
                                                      "PAGER",
                                                      "BROWSER",
                                                      "NODE_OPTIONS",
                                                      "NODE_PATH",
                                                      "OPENSSL_CONF",
                                                      "OPENSSL_MODULES",
                                                      "GCONV_PATH",
                                                      "GLIBC_TUNABLES",
                                                      "CLAWPERATOR_BIN",
                                                      "ADB_PATH"};
constexpr std::array<std::string_view, 8> kDangerousBeginnings{
    "LD_", "DYLD_", "BASH_FUNC_", "GIT_", "npm_config_", "NPM_CONFIG_", "PYTHON", "PERL5"};

bool is_dangerous(std::string_view name) {
  const auto begins = [name](std::string_view each) { return name.starts_with(each); };
  return std::ranges::any_of(kDangerousBeginnings, begins) || name.starts_with("RUBY") ||
         name.ends_with("JAVA_OPTIONS") || name.ends_with("_TOOL_OPTIONS") ||
         std::ranges::find(kDangerous, name) != kDangerous.end();
}

bool looks_secret(std::string_view name) {
  const std::string lower = ascii_lower(name);
  return lower.ends_with("_api_key") || lower.ends_with("_token") || lower.ends_with("password") ||
         lower.ends_with("private_key") || lower.ends_with("secret") ||
         lower.ends_with("access_key") || lower.ends_with("passwd") || lower.ends_with("_pat");
}

bool is_declared(const Entry& entry, std::string_view name) {
  const auto& wanted = entry.metadata.needs.env;
  return entry.metadata.primary_env == name || std::ranges::find(wanted, name) != wanted.end();
}

bool is_possible(std::string_view name, std::string_view value) {
  return !name.empty() && !name.contains('=') && !name.contains('\0') && !value.contains('\0');
}

}  // namespace

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
                         : strict && looks_secret(name) && !is_declared(entry, name)
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
