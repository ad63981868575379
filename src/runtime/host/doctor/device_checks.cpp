#include "runtime/host/doctor/device_checks.hpp"

#include <algorithm>

#include "runtime/contract/json_text.hpp"
#include "runtime/contract/text_lines.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::Error;
using adbproto::Result;

namespace {

using Step = FixStep::Kind;

constexpr std::string_view kCapability = "device.capability";
constexpr std::string_view kPresence = "readiness.apk.presence";
constexpr std::string_view kVersion = "readiness.version.compatibility";
constexpr std::string_view kSmoke = "readiness.smoke";

std::string said(const Result<CommandOutput>& answer) {
  return answer ? std::string(trimmed(answer->out)) : std::string();
}

// Why an answer is of no use; empty: it is.
std::string problem_of(const Result<CommandOutput>& answer) {
  if (!answer) return answer.error().message();
  if (answer->exit_status == 0) return {};
  const std::string text = answer->text();
  return text.empty() ? "exit status " + std::to_string(answer->exit_status) : text;
}

Fix reconnect_fix(const Subject& subject) {
  return {.title = "Bring the device's shell back",
          .steps = {{Step::manual,
                     "Reconnect " + subject.device_id + ", and restart it if that does not help."},
                    {Step::shell,
                     "clawperator adb -s " + shell_word(subject.device_id) + " shell true"}},
          .docs_url = {}};
}

}  // namespace

std::string Subject::flags() const { return target_flags(operator_package, device_id); }

Check check_capability(const DeviceAnswers& answers, const Subject& subject) {
  const std::string problem = problem_of(answers.sdk);
  if (!problem.empty()) {
    const bool lost = !answers.sdk && answers.sdk.error().code() == Errc::link_lost;
    Check check = troubled(kCapability, CheckStatus::fail,
                           lost ? Errc::link_lost : Errc::device_shell_unavailable,
                           "The shell of " + subject.device_id + " does not answer.");
    check.detail = problem;
    check.fix = reconnect_fix(subject);
    return check;
  }
  Check check = passed(kCapability, "The device answers (Android SDK " + said(answers.sdk) + ").");
  check.evidence = JsonObject()
                       .text("sdk", said(answers.sdk))
                       .text("wmSize", said(answers.wm_size))
                       .text("wmDensity", said(answers.wm_density))
                       .str();
  return check;
}

namespace {

Error compatibility_problem(const DeviceAnswers& answers) {
  return answers.compatibility ? *answers.compatibility->problem : answers.compatibility.error();
}

bool is_about_presence(Errc code) {
  return code == Errc::operator_not_installed || code == Errc::operator_variant_mismatch ||
         code == Errc::device_shell_unavailable || code == Errc::link_lost;
}

Fix install_fix(const Subject& subject) {
  const std::string setup = setup_command(subject.operator_package, subject.device_id);
  return {.title = "Install the Operator app",
          .steps = {{Step::shell, "clawperator operator download"}, {Step::shell, setup}},
          .docs_url = std::string(kDocsUrl)};
}

Check variant_found(const Subject& subject) {
  const std::string other = alternate_variant(subject.operator_package);
  Check check = troubled(kPresence, CheckStatus::warn, Errc::operator_variant_mismatch,
                         "Wrong Operator variant installed.");
  check.detail = "Expected " + subject.operator_package + " but found " + other + ".";
  const Subject found{subject.device_id, other};
  Fix fix = install_fix(subject);
  fix.title = "Use the variant that is installed, or install the other one";
  fix.steps.insert(fix.steps.begin(), {Step::shell, "clawperator doctor" + found.flags()});
  check.fix = std::move(fix);
  return check;
}

}  // namespace

Check check_presence(const DeviceAnswers& answers, const Subject& subject) {
  const std::string& package = subject.operator_package;
  const bool compatible = answers.compatibility && !answers.compatibility->problem;
  if (compatible || !is_about_presence(compatibility_problem(answers).code())) {
    return passed(kPresence, "The Operator app " + package + " is installed.");
  }
  const Error problem = compatibility_problem(answers);
  if (problem.code() == Errc::operator_variant_mismatch) return variant_found(subject);
  const bool absent = problem.code() == Errc::operator_not_installed;
  Check check = troubled(kPresence, CheckStatus::fail, problem.code(),
                         absent ? "The Operator app " + package + " is not installed."
                                : "Whether the Operator app is installed cannot be found out.");
  check.detail = problem.message();
  check.fix = absent ? install_fix(subject) : reconnect_fix(subject);
  return check;
}

namespace {

Step kind_of(std::string_view remedy) {
  for (const std::string_view program : {"clawperator ", "curl ", "sha256sum "}) {
    if (remedy.starts_with(program)) return Step::shell;
  }
  return Step::manual;
}

std::string versions_json(const Compatibility& compatibility) {
  JsonObject json;
  if (compatibility.apk_version) json.text("apkVersion", *compatibility.apk_version);
  if (compatibility.apk_version_code) json.text("apkVersionCode", *compatibility.apk_version_code);
  return json.empty() ? "" : json.str();
}

}  // namespace

std::optional<Check> check_version(const DeviceAnswers& answers, const Subject& subject) {
  if (check_presence(answers, subject).status != CheckStatus::pass) return std::nullopt;
  const Compatibility& found = *answers.compatibility;
  if (!found.problem) {
    Check check = passed(
        kVersion, "The Operator app " + found.apk_version.value_or("") + " fits this program.");
    check.evidence = versions_json(found);
    return check;
  }
  Check check = troubled(kVersion, CheckStatus::fail, found.problem->code(),
                         "The Operator app does not fit this program.");
  check.detail = found.problem->message();
  check.evidence = versions_json(found);
  Fix fix{.title = "Install the version that fits", .steps = {}, .docs_url = {}};
  for (const std::string& remedy : found.remediation)
    fix.steps.push_back({kind_of(remedy), remedy});
  check.fix = std::move(fix);
  return check;
}

namespace {

struct Setting {
  std::string_view id;
  Errc code;
  std::string name;
  DeviceGuidance guidance;
};

Check check_setting(const Result<CommandOutput>& answer, const Setting& setting,
                    const Subject& subject) {
  if (problem_of(answer).empty() && said(answer) == "1") {
    return passed(setting.id, setting.name + " on.");
  }
  const std::string problem = problem_of(answer);
  Check check = troubled(setting.id, CheckStatus::warn, setting.code,
                         problem.empty() ? setting.name + " off."
                                         : "Whether " + setting.name + " on cannot be found out.");
  check.detail = problem;
  check.fix = Fix{.title = "Switch it on",
                  .steps = {{Step::shell, "clawperator doctor --fix" + subject.flags()}},
                  .docs_url = {}};
  check.guidance = setting.guidance;
  return check;
}

}  // namespace

Check check_developer_options(const DeviceAnswers& answers, const Subject& subject) {
  return check_setting(
      answers.developer_options,
      {kDeveloperOptions,
       Errc::device_dev_options_disabled,
       "Developer options are",
       {"Settings > About phone",
        {"Tap Build number seven times.", "Confirm with the device's PIN if it asks.",
         "Developer options appear in Settings > System."}}},
      subject);
}

Check check_usb_debugging(const DeviceAnswers& answers, const Subject& subject) {
  return check_setting(
      answers.usb_debugging,
      {kUsbDebugging,
       Errc::device_usb_debugging_disabled,
       "USB debugging is",
       {"Settings > System > Developer options", {"Switch on USB debugging.", "Confirm."}}},
      subject);
}

namespace {

std::string data_json(const ExecuteResult& result) {
  JsonObject json;
  for (const StepResult& step : result.envelope.step_results) {
    for (const auto& [name, value] : step.data) json.text(name, value);
  }
  return json.empty() ? "" : json.str();
}

Check no_accessibility(const Envelope& envelope, const Subject& subject) {
  Check check = troubled(kHandshake, CheckStatus::fail, Errc::device_accessibility_not_running,
                         "The Operator app answers, but its accessibility service does not run.");
  check.detail = envelope.error.value_or("the handshake's step failed");
  check.fix = Fix{.title = "Enable the accessibility service again",
                  .steps = {{Step::shell, "clawperator grant-device-permissions" + subject.flags()},
                            {Step::shell, "clawperator doctor --fix" + subject.flags()}},
                  .docs_url = std::string(kDocsUrl)};
  check.guidance = DeviceGuidance{"Settings > Accessibility",
                                  {"Open Clawperator Operator among the installed services.",
                                   "Switch it off and on again, and allow it."}};
  return check;
}

Check unanswered(const Error& error, const Subject& subject) {
  const Errc code = error.code();
  const bool silent = code == Errc::result_envelope_timeout;
  Check check = troubled(kHandshake, CheckStatus::fail, code,
                         silent ? "The Operator app did not answer the handshake."
                                : "The handshake with the Operator app failed.");
  check.detail = error.message();
  Fix fix{.title = "Start the Operator app anew", .steps = {}, .docs_url = std::string(kDocsUrl)};
  if (code == Errc::operator_not_installed) {
    fix = install_fix(subject);
  } else if (code == Errc::execution_conflict_in_flight) {
    fix.title = "Wait for the other execution";
    fix.steps = {{Step::manual, "Run doctor again when the device is free."}};
  } else {
    fix.steps = {{Step::manual, "Open the Operator app on the device."},
                 {Step::shell, "clawperator grant-device-permissions" + subject.flags()},
                 {Step::shell, "clawperator crash-log" + subject.flags()}};
  }
  check.fix = std::move(fix);
  return check;
}

bool succeeded(const Envelope& envelope) {
  return envelope.status == EnvelopeStatus::success &&
         std::ranges::all_of(envelope.step_results, &StepResult::success);
}

}  // namespace

Check check_handshake(const Result<ExecuteResult>& result, const Subject& subject) {
  if (!result) return unanswered(result.error(), subject);
  if (!succeeded(result->envelope)) return no_accessibility(result->envelope, subject);
  Check check = passed(kHandshake, "The Operator app answers.");
  check.evidence = data_json(*result);
  return check;
}

Check check_smoke(const Result<ExecuteResult>& result, const Subject& subject) {
  const auto is_snapshot = [](const StepResult& step) {
    return step.action_type == "snapshot_ui" && step.success;
  };
  if (result && std::ranges::any_of(result->envelope.step_results, is_snapshot)) {
    return passed(kSmoke, "Settings was opened and read.");
  }
  Check check = troubled(kSmoke, CheckStatus::fail, Errc::smoke_open_settings_failed,
                         "Settings could not be opened and read.");
  check.detail = result ? result->envelope.error.value_or("the snapshot's step failed")
                        : result.error().message();
  check.fix = Fix{.title = "Look at the screen",
                  .steps = {{Step::manual, "Unlock the device and switch its screen on."},
                            {Step::shell, "clawperator snapshot" + subject.flags()}},
                  .docs_url = {}};
  return check;
}

}  // namespace clawperator
