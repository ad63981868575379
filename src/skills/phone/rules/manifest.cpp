#include "skills/phone/rules/manifest.hpp"

#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/number.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {
namespace {

constexpr std::int64_t kLongestAgent = 24LL * 3600 * 1000;

std::unexpected<Error> invalid(const Skill& entry, std::string_view what, std::string_view reason) {
  return fail_with(errc::skill_validation_failed,
                   "Skill " + entry.id + " has an invalid " + std::string(what),
                   ErrorMembers().text("reason", reason));
}

bool is_same_list(const Json* member, const std::vector<std::string>& expected) {
  if (member == nullptr) return expected.empty();
  if (!member->is_array() || member->size() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string* text = string_value(&(*member)[i]);
    if (text == nullptr || *text != expected[i]) return false;
  }
  return true;
}

bool is_program_name(const std::string& name) {
  return !is_blank(name) && !name.contains('/') && !name.contains('\0');
}

Result<std::optional<Agent>> read_agent(const Skill& entry, const Json* json) {
  if (json == nullptr || json->is_null()) return std::nullopt;
  const auto refuse = [&](std::string_view why) { return invalid(entry, "agent manifest", why); };
  if (!json->is_object()) return refuse("agent must be an object");
  Agent agent;
  const std::string* cli = string_member(*json, "cli");
  if (cli == nullptr || !is_program_name(*cli)) {
    return refuse("agent.cli must be the name of a program");
  }
  agent.cli = *cli;
  if (const Json* path = find_member(*json, "cliPath")) {
    const std::string* text = string_value(path);
    if (text == nullptr || is_blank(*text)) return refuse("agent.cliPath must be a path");
    agent.cli_path = *text;
  }
  if (const Json* timeout = find_member(*json, "timeoutMs")) {
    const auto ms = whole_value(timeout, 1, kLongestAgent);
    if (!ms) return refuse("agent.timeoutMs must be a positive whole number");
    agent.timeout = std::chrono::milliseconds(*ms);
  }
  return agent;
}

// "string", "integer", "integer[0,100]"
std::optional<InputType> read_input_type(std::string_view text) {
  if (text == "string") return InputType{};
  InputType type{.kind = InputType::Kind::integer};
  if (text == "integer") return type;
  if (!text.starts_with("integer[") || !text.ends_with(']')) return std::nullopt;
  const std::string_view range = text.substr(8, text.size() - 9);
  const auto comma = range.find(',');
  if (comma == range.npos) return std::nullopt;
  type.least = whole_number<std::int64_t>(trim_js(range.substr(0, comma)));
  type.most = whole_number<std::int64_t>(trim_js(range.substr(comma + 1)));
  if (!type.least || !type.most || *type.least > *type.most) return std::nullopt;
  return type;
}

Result<Contract> read_contract(const Skill& entry, const Json* json) {
  Contract contract;
  if (json == nullptr || json->is_null()) return contract;
  const auto refuse = [&](std::string_view why) { return invalid(entry, "contract", why); };
  if (!json->is_object()) return refuse("contract must be an object");
  if (const Json* inputs = find_member(*json, "inputs"); inputs && !inputs->is_null()) {
    if (!inputs->is_object()) return refuse("contract.inputs must be an object");
    for (const auto& [name, value] : inputs->get_ref<const Json::object_t&>()) {
      const std::string* text = string_value(&value);
      const auto type = text ? read_input_type(*text) : std::nullopt;
      if (!type)
        return refuse("contract.inputs." + name + " must be string, integer or integer[min,max]");
      contract.inputs.emplace(name, *type);
    }
  }
  const Json* verification = find_member(*json, "verification");
  if (verification == nullptr || verification->is_null()) return contract;
  const std::string* kind = string_member(*verification, "kind");
  const std::string* matcher = string_member(*verification, "matcher");
  if (kind == nullptr || *kind != "node_text_matches") {
    return refuse("contract.verification.kind must be node_text_matches");
  }
  if (matcher == nullptr || is_blank(*matcher)) {
    return refuse("contract.verification.matcher must be a text");
  }
  contract.matcher = *matcher;
  return contract;
}

}  // namespace

Result<Json> read_skill_json(std::string_view text) {
  return with_code(errc::registry_read_failed, read_json(text, kMaxSkillJson));
}

std::vector<std::string> mismatches_of(const Json& skill_json, const Skill& entry) {
  std::vector<std::string> names;
  for (const auto& [name, member] : kSkillTexts) {
    const std::string* text = string_member(skill_json, name);
    if (text == nullptr || *text != entry.*member) names.emplace_back(name);
  }
  if (!is_same_list(find_member(skill_json, "scripts"), entry.scripts))
    names.emplace_back("scripts");
  if (!is_same_list(find_member(skill_json, "artifacts"), entry.artifacts)) {
    names.emplace_back("artifacts");
  }
  return names;
}

Result<Manifest> read_manifest(const Json& skill_json, const Skill& entry) {
  Manifest manifest;
  TRY(manifest.agent, read_agent(entry, find_member(skill_json, "agent")));
  TRY(manifest.contract, read_contract(entry, find_member(skill_json, "contract")));
  return manifest;
}

}  // namespace clawperator::phone_skills
