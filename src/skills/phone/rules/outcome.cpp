#include "skills/phone/rules/outcome.hpp"

#include <wctype.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/utf8.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {
namespace {

struct Failure {
  Errc code;
  std::string message;
};

std::string json_of(const std::optional<Json>& skill_result) {
  return skill_result ? write_json(*skill_result) : "null";
}

void add_call(JsonObject& json, const SkillCall& call) {
  if (call.timeout) json.number("timeoutMs", call.timeout->count());
  if (call.expect_contains) json.text("expectedSubstring", *call.expect_contains);
}

Outcome failed(const SkillCall& call, const Ended& ended, const Failure& failure,
               const std::optional<Json>& skill_result) {
  JsonObject json;
  json.text("status", "failed").text("code", failure.code->published);
  json.text("message", failure.message).text("skillId", call.skill_id);
  if (ended.exit_code) json.number("exitCode", *ended.exit_code);
  if (!ended.out.empty()) json.text("stdout", ended.out);
  if (!ended.err.empty()) json.text("stderr", ended.err);
  json.json("skillResult", json_of(skill_result));
  add_call(json, call);
  return {Outcome::Kind::failed, failure.code, json.str(), {}};
}

Outcome lacks_text(const SkillCall& call, const Ended& ended,
                   const std::optional<Json>& skill_result) {
  const Errc code = errc::skill_output_assertion_failed;
  JsonObject json;
  json.text("code", code->published);
  json.text("message", "Skill " + call.skill_id + " output did not include expected text");
  json.text("skillId", call.skill_id).text("output", ended.out);
  json.json("skillResult", json_of(skill_result));
  json.text("expectedSubstring", *call.expect_contains);
  if (call.timeout) json.number("timeoutMs", call.timeout->count());
  return {Outcome::Kind::failed, code, json.str(), {}};
}

Outcome indeterminate(const SkillCall& call, const Ended& ended, const std::string& why,
                      const std::optional<Json>& skill_result) {
  const Errc code = errc::skill_verification_indeterminate;
  JsonObject json;
  json.text("status", "indeterminate").text("code", code->published);
  json.text("message", why).json("skillResult", json_of(skill_result));
  json.number("durationMs", ended.duration.count());
  add_call(json, call);
  return {Outcome::Kind::indeterminate, code, json.str(), {}};
}

std::string member_of(const std::optional<Json>& skill_result, std::string_view name) {
  const std::string* text = skill_result ? string_member(*skill_result, name) : nullptr;
  return text ? *text : std::string();
}

// For a script that ended with 0: its frame decides, where there is one.
Outcome of_ended(const SkillCall& call, const Ended& ended,
                 const std::optional<Json>& skill_result) {
  JsonObject json;
  if (skill_result) {
    json.json("skillResult", write_json(*skill_result));
    json.number("durationMs", ended.duration.count());
  } else {
    json.text("status", "success").text("skillId", call.skill_id).text("output", ended.out);
    json.number("exitCode", 0).number("durationMs", ended.duration.count());
    json.null("skillResult");
  }
  add_call(json, call);
  if (!skill_result || member_of(skill_result, "status") == "success") {
    return {Outcome::Kind::success, errc::unknown, json.str(), {}};
  }
  return {Outcome::Kind::reported, errc::skill_execution_failed, json.str(), {}};
}

// Failures that come before any declaration or expectation.
std::optional<Failure> failure_of(const SkillCall& call, const Ended& ended,
                                  const Result<std::optional<Json>>& frame) {
  const std::string skill = "Skill " + call.skill_id;
  if (ended.timed_out) {
    return Failure{errc::skill_execution_timeout,
                   skill + " timed out after " + std::to_string(ended.limit.count()) + "ms"};
  }
  if (!frame) return Failure{errc::skill_result_parse_failed, frame.error().message()};
  if (ended.exit_code == 0) return std::nullopt;
  return Failure{errc::skill_execution_failed,
                 skill + " exited with code " + std::to_string(*ended.exit_code)};
}

Outcome judge(const SkillCall& call, const Ended& ended, const Contract& contract,
              const Result<std::optional<Json>>& frame, const std::optional<Json>& result) {
  if (const auto failure = failure_of(call, ended, frame)) {
    return failed(call, ended, *failure, result);
  }
  if (call.expect_contains && !ended.has_expected) {
    return lacks_text(call, ended, result);
  }
  if (contract.matcher && member_of(result, "status") == "failed") {
    return failed(call, ended,
                  {errc::skill_execution_failed,
                   "Skill " + call.skill_id +
                       " reported failed status while executing a declared verification contract"},
                  result);
  }
  if (const auto why = unproved_because(contract, call.args, result)) {
    return indeterminate(call, ended, *why, result);
  }
  return of_ended(call, ended, result);
}

using Texts = std::map<std::string, std::string>;

// Whole numbers that every reader of JSON keeps exactly.
constexpr std::int64_t kMostExact = (std::int64_t{1} << 53) - 1;

std::string flag_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

// The arguments: those that name an input, and the other words without a dash.
struct Sorted {
  Texts named{};
  std::vector<std::string> words{};
};

Sorted sort_arguments(const Contract& contract, const std::vector<std::string>& args) {
  Texts names;  // by flag
  for (const auto& [name, type] : contract.inputs) names[flag_of(name)] = name;
  Sorted sorted;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].starts_with("--")) {
      sorted.words.push_back(args[i]);
      continue;
    }
    const auto equals = args[i].find('=');
    const auto name = names.find(args[i].substr(0, equals));
    const bool has_next =
        equals == std::string::npos && i + 1 < args.size() && !args[i + 1].starts_with("--");
    if (name != names.end() && equals != std::string::npos) {
      sorted.named[name->second] = args[i].substr(equals + 1);
    } else if (name != names.end() && has_next) {
      sorted.named[name->second] = args[i + 1];
    }
    if (has_next) ++i;  // also for an undeclared option
  }
  return sorted;
}

// The value as JSON.
Result<std::string> read_input(const std::string& name, const InputType& type,
                               const std::string& text) {
  if (type.kind == InputType::Kind::text) return quote_json(text);
  const auto refuse = [&](const std::string& why) {
    return fail(errc::invalid_argument, "Could not trust declared input '" + name + "': " + why);
  };
  const auto number = whole_number<std::int64_t>(text);
  if (!number || std::abs(*number) > kMostExact) {
    return refuse("expected an integer, got '" + text.substr(0, 60) + "'");
  }
  if ((type.least && *number < *type.least) || (type.most && *number > *type.most)) {
    return refuse("expected an integer from " + std::to_string(*type.least) + " to " +
                  std::to_string(*type.most) + ", got " + text);
  }
  return std::to_string(*number);
}

// Members sorted by name on every level, so that equal values give equal texts.
std::string canonical(const Json& value) {
  if (value.is_array()) return list_json(value, canonical);
  if (!value.is_object()) return write_json(value);
  std::map<std::string, std::string> members;
  for (const auto& [name, member] : value.items()) members[name] = canonical(member);
  JsonObject sorted;
  for (const auto& [name, member] : members) sorted.json(name, member);
  return sorted.str();
}

// "Discharge to {percent}%" with the values; nullopt where one is missing.
std::optional<std::string> rendered(std::string_view matcher, const Json& inputs) {
  std::string text;
  while (!matcher.empty()) {
    const auto open = std::min(matcher.find('{'), matcher.size());
    text += matcher.substr(0, open);
    matcher.remove_prefix(open);
    const auto close = matcher.find('}');
    if (matcher.empty()) break;
    if (close == matcher.npos) return text + std::string(matcher);
    const Json* value = find_member(inputs, matcher.substr(1, close - 1));
    if (value == nullptr) return std::nullopt;
    text += js_text(*value);
    matcher.remove_prefix(close + 1);
  }
  return text;
}

// Text that may follow the expected one: it has no letters or digits of any script, by the C
// library's tables.
bool is_without_letters(std::string_view text) {
  static const locale_t kUnicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  while (!text.empty()) {
    const std::string_view character = text.substr(0, sequence_length(text));
    const bool may_be_letter = character.empty() || kUnicode == nullptr ||
                               ::iswalnum_l(code_point(character), kUnicode) != 0;
    if (may_be_letter) return false;
    text.remove_prefix(character.size());
  }
  return true;
}

bool is_observed(std::string_view expected, std::string_view observed) {
  return observed.starts_with(expected) && is_without_letters(observed.substr(expected.size()));
}

std::optional<std::string> mismatch_of(const std::string& expected, const Json& verification) {
  const Json* observed = find_member(verification, "observed");
  const std::string* text = observed ? string_member(*observed, "text") : nullptr;
  if (text == nullptr) {
    return "Skill terminal verification did not match declared matcher '" + expected + "'.";
  }
  const std::string seen = single_spaced(*text);
  if (is_observed(single_spaced(expected), seen)) return std::nullopt;
  return "Skill terminal verification expected '" + expected + "' but observed '" + seen + "'.";
}

}  // namespace

Outcome judge_run(const SkillCall& call, const Ended& ended, const FrameRules& rules,
                  const Contract& contract) {
  FrameRules needed = rules;
  needed.required = rules.required && ended.exit_code == 0;
  const auto frame = read_frame(ended.out, needed);
  const std::optional<Json> result = frame && !ended.timed_out ? *frame : std::nullopt;
  Outcome outcome = judge(call, ended, contract, frame, result);
  outcome.contract_version = member_of(result, "contractVersion");
  return outcome;
}

Outcome not_started(const SkillCall& call, const std::string& why) {
  return failed(call, {}, {errc::skill_execution_failed, "Skill " + call.skill_id + " " + why},
                std::nullopt);
}

std::string json_with_ok(const Outcome& outcome) {
  const bool ok = outcome.kind == Outcome::Kind::success;
  return std::string(R"({"ok":)") + (ok ? "true," : "false,") + outcome.json.substr(1);
}

std::string http_body(const Outcome& outcome) {
  if (outcome.kind != Outcome::Kind::failed) return json_with_ok(outcome);
  return R"({"ok":false,"error":)" + outcome.json + "}";
}

Result<std::string> trusted_inputs(const Contract& contract, const std::vector<std::string>& args) {
  const Sorted sorted = sort_arguments(contract, args);
  const std::size_t named = sorted.named.size();
  const std::size_t wanted = contract.inputs.size() - named;
  if (sorted.words.size() < wanted) {
    return fail(errc::invalid_argument, "Skill declared " + std::to_string(contract.inputs.size()) +
                                            " contract inputs but only " +
                                            std::to_string(named + sorted.words.size()) +
                                            " were available.");
  }
  auto word = sorted.words.end() - static_cast<std::ptrdiff_t>(wanted);
  JsonObject inputs;
  for (const auto& [name, type] : contract.inputs) {
    const auto given = sorted.named.find(name);
    TRY(const std::string value,
        read_input(name, type, given != sorted.named.end() ? given->second : *word++));
    inputs.json(name, value);
  }
  return inputs.str();
}

std::optional<std::string> unproved_because(const Contract& contract,
                                            const std::vector<std::string>& args,
                                            const std::optional<Json>& result) {
  if (!contract.matcher) return std::nullopt;
  if (!result) return "Skill declared verification but did not emit a SkillResult to prove it.";
  const auto trusted = trusted_inputs(contract, args);
  if (!trusted) return trusted.error().message();
  const auto inputs = read_json(*trusted, trusted->size());
  const Json* reported = find_member(*result, "inputs");
  if (!inputs || canonical(reported ? *reported : Json(Json::object())) != canonical(*inputs)) {
    return "SkillResult inputs did not match the trusted invocation inputs for the declared "
           "contract.";
  }
  const auto expected = rendered(*contract.matcher, *inputs);
  if (!expected) {
    return "Trusted invocation inputs did not provide the values required to render declared "
           "matcher '" +
           *contract.matcher + "'.";
  }
  const Json* verification = find_member(*result, "terminalVerification");
  const std::string* status = verification ? string_member(*verification, "status") : nullptr;
  if (status == nullptr || *status != "verified") {
    return "Skill declared verification but terminalVerification was not proved.";
  }
  return mismatch_of(*expected, *verification);
}

}  // namespace clawperator::phone_skills
