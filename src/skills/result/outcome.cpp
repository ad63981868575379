#include "skills/result/outcome.hpp"

#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "skills/result/verification.hpp"

namespace clawperator::skills {
namespace {

struct Failure {
  Errc code;
  std::string message;
};

std::string text_of(const std::optional<Json>& skill_result) {
  return skill_result ? write_json(*skill_result) : "null";
}

void add_asked(JsonObject& json, const Asked& asked) {
  if (asked.timeout) json.number("timeoutMs", asked.timeout->count());
  if (asked.expect_contains) json.text("expectedSubstring", *asked.expect_contains);
}

Outcome failed(const Asked& asked, const Ended& ended, const Failure& failure,
               const std::optional<Json>& skill_result) {
  JsonObject json;
  json.text("status", "failed").text("code", error_row(failure.code).published);
  json.text("message", failure.message).text("skillId", asked.skill_id);
  if (ended.exit_code) json.number("exitCode", *ended.exit_code);
  if (!ended.out.empty()) json.text("stdout", ended.out);
  if (!ended.err.empty()) json.text("stderr", ended.err);
  json.json("skillResult", text_of(skill_result));
  add_asked(json, asked);
  return {Outcome::Kind::failed, failure.code, json.str(), {}};
}

Outcome lacks_text(const Asked& asked, const Ended& ended,
                   const std::optional<Json>& skill_result) {
  const Errc code = errc::skill_output_assertion_failed;
  JsonObject json;
  json.text("code", error_row(code).published);
  json.text("message", "Skill " + asked.skill_id + " output did not include expected text");
  json.text("skillId", asked.skill_id).text("output", ended.out);
  json.json("skillResult", text_of(skill_result));
  json.text("expectedSubstring", *asked.expect_contains);
  if (asked.timeout) json.number("timeoutMs", asked.timeout->count());
  return {Outcome::Kind::failed, code, json.str(), {}};
}

Outcome indeterminate(const Asked& asked, const Ended& ended, const std::string& why,
                      const std::optional<Json>& skill_result) {
  const Errc code = errc::skill_verification_indeterminate;
  JsonObject json;
  json.text("status", "indeterminate").text("code", error_row(code).published);
  json.text("message", why).json("skillResult", text_of(skill_result));
  json.number("durationMs", ended.duration.count());
  add_asked(json, asked);
  return {Outcome::Kind::indeterminate, code, json.str(), {}};
}

Outcome success(const Asked& asked, const Ended& ended, const std::optional<Json>& skill_result) {
  JsonObject json;
  if (skill_result) {
    json.json("skillResult", write_json(*skill_result));
    json.number("durationMs", ended.duration.count());
  } else {
    json.text("status", "success").text("skillId", asked.skill_id).text("output", ended.out);
    json.number("exitCode", 0).number("durationMs", ended.duration.count());
    json.null("skillResult");
  }
  add_asked(json, asked);
  return {Outcome::Kind::success, {}, json.str(), {}};
}

// What makes it a failure, whatever was declared or expected.
std::optional<Failure> failure_of(const Asked& asked, const Ended& ended,
                                  const Result<std::optional<Json>>& frame) {
  const std::string skill = "Skill " + asked.skill_id;
  if (ended.timed_out) {
    return Failure{errc::skill_execution_timeout,
                   skill + " timed out after " + std::to_string(ended.limit.count()) + "ms"};
  }
  if (!frame) return Failure{errc::skill_result_parse_failed, frame.error().message()};
  if (ended.exit_code == 0) return std::nullopt;
  return Failure{errc::skill_execution_failed,
                 skill + " exited with code " + std::to_string(*ended.exit_code)};
}

bool reports_failure(const std::optional<Json>& skill_result) {
  const std::string* status =
      skill_result ? string_value(find_member(*skill_result, "status")) : nullptr;
  return status != nullptr && *status == "failed";
}

std::string version_of(const std::optional<Json>& skill_result) {
  const std::string* version =
      skill_result ? string_value(find_member(*skill_result, "contractVersion")) : nullptr;
  return version ? *version : std::string();
}

Outcome judge(const Asked& asked, const Ended& ended, const Contract& contract,
              const Result<std::optional<Json>>& frame, const std::optional<Json>& result) {
  if (const auto failure = failure_of(asked, ended, frame)) {
    return failed(asked, ended, *failure, result);
  }
  if (asked.expect_contains && !ended.has_expected) {
    return lacks_text(asked, ended, result);
  }
  if (contract.matcher && reports_failure(result)) {
    return failed(asked, ended,
                  {errc::skill_execution_failed,
                   "Skill " + asked.skill_id +
                       " reported failed status while executing a declared verification contract"},
                  result);
  }
  if (const auto why = unproved_because(contract, asked.args, result)) {
    return indeterminate(asked, ended, *why, result);
  }
  return success(asked, ended, result);
}

}  // namespace

Outcome judge_run(const Asked& asked, const Ended& ended, const FrameRules& rules,
                  const Contract& contract) {
  FrameRules needed = rules;
  needed.required = rules.required && ended.exit_code == 0;
  const auto frame = read_frame(ended.out, needed);
  const std::optional<Json> result = frame && !ended.timed_out ? *frame : std::nullopt;
  Outcome outcome = judge(asked, ended, contract, frame, result);
  outcome.contract_version = version_of(result);
  return outcome;
}

Outcome not_started(const Asked& asked, const std::string& why) {
  return failed(asked, {}, {errc::skill_execution_failed, "Skill " + asked.skill_id + " " + why},
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

}  // namespace clawperator::skills
