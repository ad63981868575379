#include "skills/phone/rules/compile.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/parse.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {
namespace {

constexpr std::string_view kSuffix = ".recipe.json";
constexpr std::size_t kHashDigits = 12;

std::string without_suffix(const std::string& name) {
  const bool has_suffix = ascii_lower(name).ends_with(kSuffix);
  return has_suffix ? name.substr(0, name.size() - kSuffix.size()) : name;
}

// Names that JavaScript treats as an array's index come first, by their number.
std::optional<std::uint32_t> array_index(const std::string& name) {
  const auto index = whole_number<std::uint32_t>(name);
  const bool plain = index && *index != UINT32_MAX && std::to_string(*index) == name;
  return plain ? index : std::nullopt;
}

struct JsNameOrder {
  bool operator()(const std::string& left, const std::string& right) const {
    const auto a = array_index(left);
    const auto b = array_index(right);
    if (a && b) return *a < *b;
    if (a || b) return a.has_value();
    return to_utf16(left) < to_utf16(right);
  }
};

// {"a":"1","b":"2"}: all values as texts. An array has its indices for names.
std::string sorted_json(const Json& vars) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto& [name, value] : vars.items()) members.emplace_back(name, js_text(value));
  std::ranges::sort(members, JsNameOrder(), &std::pair<std::string, std::string>::first);
  JsonObject sorted;
  for (const auto& [name, value] : members) sorted.text(name, value);
  return sorted.str();
}

std::string inside_of_quotes(std::string_view text) {
  const std::string quoted = quote_json(text);
  return quoted.substr(1, quoted.size() - 2);
}

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// The name of the placeholder that `text` begins with; empty: there is none.
std::string_view placeholder_at(std::string_view text) {
  if (!text.starts_with("{{")) return {};
  const std::string_view name = text.substr(2, text.substr(2).find_first_not_of(kNameLetters));
  return text.substr(2 + name.size()).starts_with("}}") ? name : std::string_view{};
}

Error with_artifact(const Error& error, const Artifact& artifact) {
  return with_details(
      error, ErrorMembers().text("skillId", artifact.skill_id).text("artifactName", artifact.name));
}

bool is_given(const Json& vars, std::string_view name) {
  const Json* value = find_member(vars, name);
  return value && !js_text(*value).empty();
}

Result<std::string> value_of(const Json& values, std::string_view name) {
  if (is_given(values, name)) return js_text(*find_member(values, name));
  return fail_with(errc::compile_var_missing, "Missing required variable: " + std::string(name),
                   ErrorMembers().text("placeholder", name));
}

// All values that a template may name.
Json values_for(const Artifact& artifact, const Json& vars) {
  const std::string hash = artifact_hash(artifact.skill_id, artifact.name, vars);
  Json values = vars;
  for (const auto& [name, prefix] : {std::pair("COMMAND_ID", "cmd-"), {"TASK_ID", "task-"}}) {
    if (!is_given(vars, name)) values[name] = prefix + hash;
  }
  return values;
}

}  // namespace

Result<ArtifactName> find_artifact(const Skill& skill, const std::string& name) {
  const std::string bare = without_suffix(name);
  const std::string file = bare + std::string(kSuffix);
  const auto is_it = [&](const std::string& path) {
    return path == file || path.ends_with("/" + file);
  };
  const auto found = std::ranges::find_if(skill.artifacts, is_it);
  if (!bare.empty() && found != skill.artifacts.end()) return ArtifactName{bare, *found};
  return fail_with(errc::artifact_not_found,
                   "Artifact not found: " + name + " (skill: " + skill.id + ")",
                   ErrorMembers().text("skillId", skill.id).text("artifactName", name));
}

Result<Json> parse_vars(std::string_view text) {
  if (is_blank(text)) return Json(Json::object());
  auto vars = read_callers_json(text, kMaxArtifact);
  const auto nested = [](const Json& value) { return value.is_structured(); };
  if (vars && vars->is_object() && std::ranges::none_of(*vars, nested)) return vars;
  return fail_with(errc::compile_vars_parse_failed, "Invalid --vars JSON",
                   ErrorMembers().text("varsJson", text));
}

std::string artifact_hash(std::string_view skill_id, std::string_view artifact, const Json& vars) {
  const std::string seed = JsonObject()
                               .text("skillId", skill_id)
                               .text("artifactName", artifact)
                               .json("vars", sorted_json(vars))
                               .str();
  return adbproto::sha256_of(seed).substr(0, kHashDigits);
}

Result<std::string> substitute(std::string_view text, const Json& values) {
  std::string out;
  for (;;) {
    const auto brace = std::min(text.find("{{"), text.size());
    out += text.substr(0, brace);
    text.remove_prefix(brace);
    if (text.empty()) return out;
    const std::string_view name = placeholder_at(text);
    if (name.empty()) {
      out += '{';
      text.remove_prefix(1);
    } else {
      TRY(const std::string value, value_of(values, name));
      out += inside_of_quotes(value);
      text.remove_prefix(name.size() + std::string_view("{{}}").size());
    }
    if (out.size() > kMaxArtifact) {
      return fail(errc::compile_validation_failed, "The compiled artifact is longer than 1 MiB");
    }
  }
}

std::set<std::string> placeholders_of(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = 0; (at = text.find("{{", at)) != text.npos; ++at) {
    const std::string_view name = placeholder_at(text.substr(at));
    if (!name.empty()) names.emplace(name);
  }
  return names;
}

bool for_each_issue(const Error& error, const std::function<void(const Json& issue)>& take) {
  const auto members = read_json(error.members(), kMaxArtifact);
  const Json* details = members ? find_member(*members, "details") : nullptr;
  const std::string* reason = details ? string_member(*details, "reason") : nullptr;
  bool is_listed = false;
  const auto take_one = [&](const Json& issue) {
    is_listed = true;
    take(issue);
  };
  if (reason) for_each_entry("{\"issues\":" + *reason + "}", "issues", take_one);
  return is_listed;
}

Result<std::string> compile_artifact(const Artifact& artifact, const Json& vars) {
  auto text = substitute(artifact.text, values_for(artifact, vars));
  if (!text) return std::unexpected(with_artifact(text.error(), artifact));
  auto execution = parse_execution(*text);
  if (!execution) {
    const Error& why = execution.error();
    return std::unexpected(with_artifact(
        Error(errc::compile_validation_failed, why.message(), why.members()), artifact));
  }
  execution->mode = "artifact_compiled";
  return payload_json(*execution);
}

}  // namespace clawperator::phone_skills
