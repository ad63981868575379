#include "runtime/host/doctor/device_checks.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {

namespace {

using Step = FixStep::Kind;

constexpr std::string_view kCapability = "device.capability";
constexpr std::string_view kScreen = "device.screen";
constexpr std::string_view kPresence = "readiness.apk.presence";
constexpr std::string_view kVersion = "readiness.version.compatibility";
constexpr std::string_view kSmoke = "readiness.smoke";
constexpr std::string_view kLog = "readiness.log";

std::string text_of(const Result<CommandOutput>& answer) {
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
  return {
      "Bring the device's shell back",
      {{Step::manual, "Reconnect " + subject.device_id + ", and restart it if that does not help."},
       {Step::shell, "clawperator adb -s " + shell_word(subject.device_id) + " shell true"}}};
}

}  // namespace

std::string Subject::flags() const { return target_flags(operator_package, device_id); }

Check check_capability(const DeviceAnswers& answers, const Subject& subject) {
  const std::string problem = problem_of(answers.sdk);
  if (!problem.empty()) {
    const bool lost = !answers.sdk && answers.sdk.error().code() == errc::link_lost;
    return troubled(
        kCapability, CheckStatus::fail, lost ? errc::link_lost : errc::device_shell_unavailable,
        "The shell of " + subject.device_id + " does not answer.", problem, reconnect_fix(subject));
  }
  Check check =
      passed(kCapability, "The device answers (Android SDK " + text_of(answers.sdk) + ").");
  JsonObject evidence;
  evidence.text("sdk", text_of(answers.sdk)).text("wmSize", text_of(answers.wm_size));
  evidence.text("wmDensity", text_of(answers.wm_density));
  // The linker's warnings, which are left out elsewhere.
  const std::string_view warnings = trimmed(answers.sdk->err);
  if (!warnings.empty()) evidence.text("warnings", warnings);
  check.evidence = evidence.str();
  return check;
}

std::optional<Check> check_screen(const DeviceAnswers& answers, const Subject& subject) {
  if (!answers.screen) return std::nullopt;
  const ScreenState state = parse_screen_state(answers.screen->out);
  const bool is_off = state.awake == false;
  if (!is_off && state.locked != true) return std::nullopt;
  Check check =
      troubled(kScreen, CheckStatus::warn, errc::device_not_interactive,
               "The screen of " + subject.device_id + (is_off ? " is off." : " is locked."),
               "Apps cannot be operated until it is on and unlocked; skills do not start.");
  Fix fix{"Switch the screen on and unlock it", {}};
  if (is_off) fix.steps.push_back({Step::shell, "clawperator key WAKEUP" + subject.flags()});
  fix.steps.push_back({Step::manual, "Unlock the device by hand."});
  check.fix = std::move(fix);
  return check;
}

namespace {

Error compatibility_problem(const DeviceAnswers& answers) {
  return answers.compatibility ? *answers.compatibility->problem : answers.compatibility.error();
}

bool is_about_presence(Errc code) {
  return code == errc::operator_not_installed || code == errc::operator_variant_mismatch ||
         code == errc::operator_ambiguous || code == errc::device_shell_unavailable ||
         code == errc::link_lost;
}

Fix install_fix(const Subject& subject) {
  const std::string setup = setup_command(subject.operator_package, subject.device_id);
  return {"Install the Operator app",
          {{Step::shell, "clawperator operator download"}, {Step::shell, setup}},
          std::string(kSetupTopic)};
}

Check variant_found(const Subject& subject) {
  const std::string other = alternate_variant(subject.operator_package);
  Check check = troubled(kPresence, CheckStatus::warn, errc::operator_variant_mismatch,
                         "Wrong Operator variant installed.");
  check.detail = "Expected " + subject.operator_package + " but found " + other + ".";
  const Subject found{subject.device_id, other};
  Fix fix = install_fix(subject);
  fix.title = "Use the variant that is installed, or install the other one";
  fix.steps.insert(fix.steps.begin(), {Step::shell, "clawperator doctor" + found.flags()});
  check.fix = std::move(fix);
  return check;
}

Check several_found(const DeviceAnswers& answers, const Error& problem) {
  Check check = troubled(kPresence, CheckStatus::fail, problem.code(),
                         "Two Operator apps are installed, and none was named.");
  check.detail = problem.message();
  Fix fix{"Name the one that is meant", {}};
  for (const std::string& remedy : answers.compatibility->remediation) {
    fix.steps.push_back({Step::manual, remedy});
  }
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
  if (problem.code() == errc::operator_variant_mismatch) return variant_found(subject);
  if (problem.code() == errc::operator_ambiguous) return several_found(answers, problem);
  const bool absent = problem.code() == errc::operator_not_installed;
  Check check = troubled(kPresence, CheckStatus::fail, problem.code(),
                         absent ? "The Operator app " + package + " is not installed."
                                : "Whether the Operator app is installed cannot be found out.");
  check.detail = problem.message();
  if (answers.compatibility && !answers.compatibility->listing_problem.empty()) {
    const std::string& text_of = answers.compatibility->listing_problem;
    check.detail += " The device reports: " + text_of;
    check.evidence = JsonObject().text("listPackages", text_of).str();
  }
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

std::string misfit_summary(Errc code) {
  if (code == errc::apk_version_unreadable) return "The Operator app's version cannot be read.";
  if (code == errc::apk_version_invalid) {
    return "The Operator app's version is none that can be compared.";
  }
  if (code == errc::cli_version_invalid) {
    return "This program's own version is none that can be compared.";
  }
  return "The Operator app does not fit this program.";
}

}  // namespace

std::optional<Check> check_version(const DeviceAnswers& answers, const Subject& subject) {
  if (check_presence(answers, subject).status != CheckStatus::pass) return std::nullopt;
  const Compatibility& found = *answers.compatibility;
  if (!found.problem) {
    Check check = passed(
        kVersion, "The Operator app " + found.apk_version.value_or("") + " fits this program.");
    check.evidence = versions_json(found, answers.versions).str();
    check.detail = found.note;
    for (const std::string& line : missing_lines(found.missing)) {
      check.detail += (check.detail.empty() ? "It lacks: " : " ") + line;
    }
    return check;
  }
  Check check = troubled(kVersion, CheckStatus::fail, found.problem->code(),
                         misfit_summary(found.problem->code()));
  check.detail = found.problem->message();
  check.evidence = versions_json(found, answers.versions).str();
  Fix fix{"Install the version that fits", {}, std::string(kVersionTopic)};
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
  if (problem_of(answer).empty() && text_of(answer) == "1") {
    return passed(setting.id, setting.name + " on.");
  }
  const std::string problem = problem_of(answer);
  Check check = troubled(setting.id, CheckStatus::warn, setting.code,
                         problem.empty() ? setting.name + " off."
                                         : "Whether " + setting.name + " on cannot be found out.");
  check.detail = problem;
  check.fix = Fix{"Switch it on", {{Step::shell, "clawperator doctor --fix" + subject.flags()}}};
  check.guidance = setting.guidance;
  return check;
}

}  // namespace

Check check_developer_options(const DeviceAnswers& answers, const Subject& subject) {
  return check_setting(
      answers.developer_options,
      {kDeveloperOptions,
       errc::device_dev_options_disabled,
       "Developer options are",
       {"Settings > About phone",
        {"Tap Build number seven times.", "Confirm with the device's PIN if it asks.",
         "Developer options appear in Settings > System."}}},
      subject);
}

// Wireless debugging alone is debugging, too: then the setting of USB may be 0.
Check check_usb_debugging(const DeviceAnswers& answers, const Subject& subject) {
  const bool by_wifi =
      problem_of(answers.wifi_debugging).empty() && text_of(answers.wifi_debugging) == "1";
  if (by_wifi && text_of(answers.usb_debugging) != "1") {
    return passed(kUsbDebugging, "Wireless debugging is on.");
  }
  return check_setting(
      answers.usb_debugging,
      {kUsbDebugging,
       errc::device_usb_debugging_disabled,
       "USB debugging is",
       {"Settings > System > Developer options", {"Switch on USB debugging.", "Confirm."}}},
      subject);
}

namespace {

void add_hints(Fix* fix, const PhoneMaker& maker, Symptom symptom) {
  for (std::string& hint : hints_for(maker.name, maker.sdk, symptom)) {
    fix->steps.push_back({Step::manual, std::move(hint)});
  }
}

constexpr std::string_view kProbe = "probe=";

// The result of the probe, if it ran to its end on the device.
std::optional<std::string_view> probed(std::string_view printed) {
  const auto at = printed.find(kProbe);
  if (at == printed.npos || (at > 0 && printed[at - 1] != '\n')) return std::nullopt;
  return printed.substr(at + kProbe.size());
}

}  // namespace

std::optional<Check> check_log(const DeviceAnswers& answers, const Subject& subject) {
  if (!answers.log_probe || answers.log_probe->exit_status != 0) return std::nullopt;
  std::string_view printed = answers.log_probe->out;
  const auto kept = probed(printed);
  if (!kept || kept->contains("ClawperatorProbe")) return std::nullopt;
  const std::string_view persistent = take_line(&printed);
  const std::string_view current = take_line(&printed);
  Check check = troubled(kLog, CheckStatus::warn, errc::logcat_unavailable,
                         "The device's log drops debug messages: no snapshot can come through it.");
  check.evidence = JsonObject().text("persist.log.tag", persistent).text("log.tag", current).str();
  if (!persistent.empty() || !current.empty()) {
    check.detail = "persist.log.tag is '" + std::string(persistent) + "', log.tag is '" +
                   std::string(current) + "'";
  }
  Fix fix{"Let the log keep debug messages", {}};
  add_hints(&fix, answers.maker, Symptom::silent_log);
  fix.steps.push_back({Step::shell, "clawperator doctor" + subject.flags()});
  check.fix = std::move(fix);
  return check;
}

namespace {

std::string data_json(const ExecuteResult& result) {
  JsonObject json;
  for (const StepResult& step : result.envelope.step_results) {
    for (const auto& [name, value] : step.data) json.text(name, value);
  }
  return json.empty() ? "" : json.str();
}

DeviceGuidance accessibility_guidance() {
  return {"Settings > Accessibility",
          {"Open Clawperator Operator among the installed services.",
           "Switch it off and on again, and allow it."}};
}

// The app's own message: of the whole command, or of its step.
std::string app_message(const Envelope& envelope) {
  if (envelope.error) return *envelope.error;
  for (const StepResult& step : envelope.step_results) {
    for (const auto& [name, value] : step.data) {
      if (name == "error" || name == "message") return value;
    }
  }
  return "the handshake's step failed";
}

std::string why_down(const ServiceFacts& facts) {
  if (facts.ui_automation) {
    return "a client of UiAutomation (uiautomator, Appium, Maestro) is connected to the phone; "
           "while it is, Android runs no accessibility service";
  }
  if (facts.listed == ServiceListing::unknown) return {};
  return facts.listed == ServiceListing::listed
             ? "it is enabled, but Android has not started it"
             : "it is not among the enabled services: the system has taken the "
               "permission back, as an update, a force-stop or a cleaner makes it do";
}

Check no_accessibility(const Envelope& envelope, const Subject& subject,
                       const ServiceFacts& facts) {
  Check check = troubled(kHandshake, CheckStatus::fail, errc::device_accessibility_not_running,
                         "The Operator app answers, but its accessibility service does not run.");
  check.detail = app_message(envelope);
  if (const std::string why = why_down(facts); !why.empty()) check.detail += "; " + why;
  Fix fix{"Enable the accessibility service again",
          {{Step::shell, "clawperator grant-device-permissions" + subject.flags()},
           {Step::shell, "clawperator doctor --fix" + subject.flags()}},
          std::string(kDoctorTopic)};
  if (facts.ui_automation) {
    fix.title = "End the other client, then check again";
    fix.steps.insert(fix.steps.begin(),
                     {Step::manual, "End the test or tool that drives the phone by UiAutomation."});
  } else {
    add_hints(&fix, facts.maker, Symptom::service_struck);
  }
  check.fix = std::move(fix);
  check.guidance = accessibility_guidance();
  return check;
}

Check unanswered(const Error& error, const Subject& subject, const ServiceFacts& facts) {
  const Errc code = error.code();
  const bool silent = code == errc::result_envelope_timeout;
  Check check = troubled(kHandshake, CheckStatus::fail, code,
                         silent ? "The Operator app did not answer the handshake."
                                : "The handshake with the Operator app failed.");
  check.detail = error.message();
  Fix fix{"Start the Operator app anew", {}, std::string(kDoctorTopic)};
  if (code == errc::operator_not_installed) {
    fix = install_fix(subject);
  } else if (code == errc::execution_conflict_in_flight) {
    fix.title = "Wait for the other execution";
    fix.steps = {{Step::manual, "Run doctor again when the device is free."}};
  } else {
    fix.steps = {{Step::manual, "Open the Operator app on the device."},
                 {Step::shell, "clawperator doctor --fix" + subject.flags()},
                 {Step::shell, "clawperator grant-device-permissions" + subject.flags()},
                 {Step::shell, "clawperator crash-log" + subject.flags()}};
  }
  if (silent) {
    if (const std::string why = why_down(facts); !why.empty()) check.detail += "; " + why;
    add_hints(&fix, facts.maker, Symptom::silent_app);
    check.guidance = accessibility_guidance();
  }
  check.fix = std::move(fix);
  return check;
}

}  // namespace

Check check_handshake(const Result<ExecuteResult>& result, const Subject& subject,
                      const ServiceFacts& facts) {
  if (!result) return unanswered(result.error(), subject, facts);
  if (!succeeded(result->envelope)) return no_accessibility(result->envelope, subject, facts);
  Check check = passed(kHandshake, "The Operator app answers.");
  check.detail = "doctor_ping was answered, so broadcast, log and accessibility service work.";
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
  return troubled(kSmoke, CheckStatus::fail, errc::smoke_open_settings_failed,
                  "Settings could not be opened and read.",
                  result ? result->envelope.error.value_or("the snapshot's step failed")
                         : result.error().message(),
                  Fix{"Look at the screen",
                      {{Step::manual, "Unlock the device and switch its screen on."},
                       {Step::shell, "clawperator snapshot" + subject.flags()}}});
}

}  // namespace clawperator
