#include "runtime/host/doctor/device_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;
using nlohmann::json;

namespace {

const Subject kSubject{"S1", "com.clawperator.operator"};

CommandOutput prints(std::string out, int status = 0) { return {status, std::move(out), {}}; }

DeviceAnswers healthy_phone() {
  DeviceAnswers answers;
  answers.sdk = prints("34\n");
  answers.wm_size = prints("Physical size: 1080x2400\r\n");
  answers.wm_density = prints("Physical density: 420\n");
  answers.developer_options = prints("1\n");
  answers.usb_debugging = prints("1\r\n");
  answers.wifi_debugging = prints("null\n");
  answers.log_probe =
      prints("\n\nprobe=--------- beginning of main\nD/ClawperatorProbe( 1): debug\n");
  answers.versions = {"0.9.0", "0.5.3"};
  Compatibility fits;
  fits.apk_version = "0.5.3";
  fits.apk_version_code = "503900";
  fits.compatible = true;
  answers.compatibility = fits;
  return answers;
}

DeviceAnswers with_problem(Errc code) {
  DeviceAnswers answers = healthy_phone();
  Compatibility problem;
  problem.problem = Error(code, "because");
  problem.apk_version = "0.9.9";
  problem.remediation = {"Download it: https://x", "clawperator operator setup --apk x"};
  answers.compatibility = problem;
  return answers;
}

ExecuteResult answered(EnvelopeStatus status, std::vector<StepResult> steps) {
  ExecuteResult result;
  result.envelope.status = status;
  result.envelope.step_results = std::move(steps);
  return result;
}

StepResult step(std::string type, bool success) {
  return {.id = "s", .action_type = std::move(type), .success = success, .data = {}};
}

}  // namespace

TEST_CASE("doctor: capability is what the device prints, trimmed", "[host]") {
  const Check check = check_capability(healthy_phone(), kSubject);
  CHECK(check.status == CheckStatus::pass);
  CHECK(json::parse(check.evidence) == json({{"sdk", "34"},
                                             {"wmSize", "Physical size: 1080x2400"},
                                             {"wmDensity", "Physical density: 420"}}));
}

TEST_CASE("doctor: only getprop decides whether the device's shell works", "[host]") {
  DeviceAnswers answers = healthy_phone();
  answers.wm_size = prints("", 255);
  answers.wm_density = fail(errc::device_shell_unavailable, "closed");
  CHECK(check_capability(answers, kSubject).status == CheckStatus::pass);
  answers.sdk = prints("", 1);
  CHECK(check_capability(answers, kSubject).code == errc::device_shell_unavailable);
  answers.sdk = fail(errc::device_shell_unavailable, "closed");
  CHECK(check_capability(answers, kSubject).code == errc::device_shell_unavailable);
  answers.sdk = fail(errc::link_lost, "gone");
  CHECK(check_capability(answers, kSubject).code == errc::link_lost);
}

TEST_CASE("doctor: presence and version share one answer", "[host]") {
  struct Row {
    Errc code;
    CheckStatus presence;
    bool has_version;
  };
  const auto row = GENERATE(values<Row>({
      {errc::operator_not_installed, CheckStatus::fail, false},
      {errc::operator_variant_mismatch, CheckStatus::warn, false},
      {errc::device_shell_unavailable, CheckStatus::fail, false},
      {errc::apk_version_unreadable, CheckStatus::pass, true},
      {errc::apk_version_invalid, CheckStatus::pass, true},
      {errc::version_incompatible, CheckStatus::pass, true},
  }));
  const DeviceAnswers answers = with_problem(row.code);
  const Check presence = check_presence(answers, kSubject);
  CHECK(presence.status == row.presence);
  const auto version = check_version(answers, kSubject);
  REQUIRE(version.has_value() == row.has_version);
  const Check& bad = version ? *version : presence;
  CHECK(bad.code == row.code);
  REQUIRE(bad.fix);
  if (!version) return;
  CHECK(version->status == CheckStatus::fail);
  CHECK(json::parse(version->evidence)["apkVersion"] == "0.9.9");
  CHECK(version->fix->steps ==
        std::vector<FixStep>{{FixStep::Kind::manual, "Download it: https://x"},
                             {FixStep::Kind::shell, "clawperator operator setup --apk x"}});
}

TEST_CASE("doctor: a device that is gone says nothing about the app", "[host]") {
  DeviceAnswers answers = healthy_phone();
  answers.compatibility = fail(errc::link_lost, "gone");
  CHECK(check_presence(answers, kSubject).code == errc::link_lost);
  CHECK_FALSE(check_version(answers, kSubject));
}

TEST_CASE("doctor: an app that is missing comes with the command that installs it", "[host]") {
  const auto last_step = [](const Check& check) { return check.fix->steps.back().value; };
  const DeviceAnswers missing = with_problem(errc::operator_not_installed);
  CHECK(last_step(check_presence(missing, kSubject)) ==
        "clawperator operator setup --apk ~/.clawperator/downloads/operator.apk --device S1");
  CHECK(last_step(check_presence(missing, {"S1", "com.clawperator.operator.dev"})) ==
        "clawperator operator setup --apk ~/.clawperator/downloads/operator-debug.apk --device S1 "
        "--operator-package com.clawperator.operator.dev");
}

TEST_CASE("doctor: settings are on only when they are 1", "[host]") {
  struct Row {
    const char* name;
    Result<CommandOutput> answer;
    CheckStatus status;
  };
  const auto row = GENERATE(values<Row>({
      {"on", prints(" 1 \r\n"), CheckStatus::pass},
      {"off", prints("0\n"), CheckStatus::warn},
      {"never set", prints("null\n"), CheckStatus::warn},
      {"nothing", prints(""), CheckStatus::warn},
      {"noise", prints("1\n1\n"), CheckStatus::warn},
      {"the command fails", prints("1\n", 255), CheckStatus::warn},
      {"no shell", fail(errc::device_shell_unavailable, "closed"), CheckStatus::warn},
  }));
  INFO(row.name);
  DeviceAnswers answers = healthy_phone();
  answers.developer_options = row.answer;
  const Check options = check_developer_options(answers, kSubject);
  CHECK(options.status == row.status);
  CHECK(check_usb_debugging(answers, kSubject).status == CheckStatus::pass);
  answers = healthy_phone();
  answers.usb_debugging = row.answer;
  const Check debugging = check_usb_debugging(answers, kSubject);
  CHECK(debugging.status == row.status);
  CHECK(check_developer_options(answers, kSubject).status == CheckStatus::pass);
  if (row.status == CheckStatus::pass) return;
  CHECK(options.code == errc::device_dev_options_disabled);
  CHECK(debugging.code == errc::device_usb_debugging_disabled);
  CHECK(options.fix->steps.front().value == "clawperator doctor --fix --device S1");
  CHECK(options.guidance);
  CHECK(debugging.guidance);
}

TEST_CASE("doctor: the app's versions are those of the compatibility report", "[host][F14]") {
  DeviceAnswers answers = healthy_phone();
  answers.compatibility->operator_package = kSubject.operator_package;
  const auto check = check_version(answers, kSubject);
  REQUIRE(check);
  CHECK(json::parse(check->evidence) == json({{"cliVersion", "0.9.0"},
                                              {"apkCompat", "0.5.3"},
                                              {"apkVersion", "0.5.3"},
                                              {"apkVersionCode", 503900},
                                              {"operatorPackage", kSubject.operator_package}}));
}

TEST_CASE("doctor: a version that cannot be read is not called one that does not fit",
          "[host][F14]") {
  for (const Errc code : {Errc(errc::apk_version_unreadable), Errc(errc::apk_version_invalid)}) {
    const auto check = check_version(with_problem(code), kSubject);
    REQUIRE(check);
    CHECK_THAT(check->summary, !Catch::Contains("does not fit"));
    CHECK(check->fix->help_topic == kVersionTopic);
  }
}

TEST_CASE("doctor: a package manager that fails keeps its own words", "[host][F13]") {
  DeviceAnswers answers = with_problem(errc::device_shell_unavailable);
  answers.compatibility->listing_problem = "SecurityException: Shell does not have permission";
  const Check check = check_presence(answers, kSubject);
  CHECK_THAT(check.detail, Catch::Contains("Shell does not have permission"));
  CHECK(json::parse(check.evidence)["listPackages"] ==
        "SecurityException: Shell does not have permission");
}

TEST_CASE("doctor: wireless debugging alone is debugging", "[host][R24]") {
  DeviceAnswers answers = healthy_phone();
  answers.usb_debugging = prints("0\n");
  CHECK(check_usb_debugging(answers, kSubject).status == CheckStatus::warn);
  answers.wifi_debugging = prints("1\n");
  CHECK(check_usb_debugging(answers, kSubject).status == CheckStatus::pass);
  answers.wifi_debugging = prints("1\n", 255);
  CHECK(check_usb_debugging(answers, kSubject).status == CheckStatus::warn);
}

TEST_CASE("doctor: a log that drops debug messages is reported, with its properties",
          "[host][R10]") {
  DeviceAnswers answers = healthy_phone();
  CHECK_FALSE(check_log(answers, kSubject));
  answers.maker = {"HUAWEI", 29};
  answers.log_probe = prints("I\n\nprobe=--------- beginning of main\n");
  const auto check = check_log(answers, kSubject);
  REQUIRE(check);
  CHECK(check->status == CheckStatus::warn);
  CHECK(json::parse(check->evidence)["persist.log.tag"] == "I");
  CHECK_THAT(check->fix->steps.front().value, Catch::Contains("2846579"));
  CHECK_FALSE(is_critical(check->id));
}

TEST_CASE("doctor: a device that cannot be probed says nothing of its log", "[host][R10]") {
  const auto answer = GENERATE(values<Result<CommandOutput>>({
      prints(""),
      prints("\n\n"),
      prints("\n\nprobe=", 127),
      prints("sh: log: not found probe=", 0),
      fail(errc::device_shell_unavailable, "closed"),
  }));
  DeviceAnswers answers = healthy_phone();
  answers.log_probe = answer;
  CHECK_FALSE(check_log(answers, kSubject));
}

TEST_CASE("doctor: why the service is down decides the advice", "[host][R2][R3][R6]") {
  struct Row {
    const char* name;
    ServiceFacts facts;
    const char* detail;
    const char* step;
  };
  const auto row = GENERATE(values<Row>({
      {"taken off the list",
       {ServiceListing::missing, false, {"Google", 34}},
       "taken the permission back",
       "Allow restricted settings"},
      {"listed",
       {ServiceListing::listed, false, {"Google", 30}},
       "has not started it",
       "unlock it once"},
      {"another client",
       {ServiceListing::listed, true, {"Google", 34}},
       "UiAutomation",
       "UiAutomation"},
      {"a maker's cleaner",
       {ServiceListing::missing, false, {"Xiaomi", 34}},
       "taken the permission back",
       "Autostart"},
  }));
  INFO(row.name);
  const Check check = check_handshake(answered(EnvelopeStatus::failed, {}), kSubject, row.facts);
  CHECK(check.code == errc::device_accessibility_not_running);
  CHECK_THAT(check.detail, Catch::Contains(row.detail));
  CHECK(std::ranges::any_of(check.fix->steps, [&](const FixStep& step) {
    return step.value.find(row.step) != std::string::npos;
  }));
}

TEST_CASE(
    "doctor: a silent app keeps the guidance of the accessibility service, and its maker's "
    "advice",
    "[host][F14][R18]") {
  const Check check = check_handshake(fail(errc::result_envelope_timeout, "No envelope"), kSubject,
                                      {ServiceListing::listed, false, {"Xiaomi", 33}});
  CHECK_THAT(check.detail, Catch::StartsWith("No envelope"));
  REQUIRE(check.guidance);
  CHECK(check.guidance->screen == "Settings > Accessibility");
  CHECK_THAT(check.fix->steps.back().value, Catch::Contains("Autostart"));
}

TEST_CASE("doctor: a failed handshake says what the app said", "[host][F14]") {
  StepResult ping = step("doctor_ping", false);
  ping.data = {{"error", "NO_WINDOW"}};
  CHECK(check_handshake(answered(EnvelopeStatus::success, {ping}), kSubject).detail == "NO_WINDOW");
}

TEST_CASE("doctor: the handshake passes when its step succeeded", "[host]") {
  StepResult ping = step("doctor_ping", true);
  ping.data = {{"usb_debugging_enabled", "true"}};
  const Check check = check_handshake(answered(EnvelopeStatus::success, {ping}), kSubject);
  CHECK(check.status == CheckStatus::pass);
  CHECK(json::parse(check.evidence) == json({{"usb_debugging_enabled", "true"}}));
}

TEST_CASE("doctor: a failed handshake is reported by its cause", "[host]") {
  struct Row {
    const char* name;
    Result<ExecuteResult> result;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"failed envelope", answered(EnvelopeStatus::failed, {}),
       errc::device_accessibility_not_running},
      {"failed step", answered(EnvelopeStatus::success, {step("doctor_ping", false)}),
       errc::device_accessibility_not_running},
      {"silence", fail(errc::result_envelope_timeout, "x"), errc::result_envelope_timeout},
      {"refused", fail(errc::broadcast_failed, "x"), errc::broadcast_failed},
      {"app gone", fail(errc::operator_not_installed, "x"), errc::operator_not_installed},
      {"no log", fail(errc::logcat_unavailable, "x"), errc::logcat_unavailable},
      {"busy", fail(errc::execution_conflict_in_flight, "x"), errc::execution_conflict_in_flight},
  }));
  INFO(row.name);
  const Check check = check_handshake(row.result, kSubject);
  CHECK(check.status == CheckStatus::fail);
  CHECK(check.code == row.code);
  REQUIRE(check.fix);
  CHECK_FALSE(check.fix->steps.empty());
}

TEST_CASE("doctor: accessibility that does not run comes with its one-line repair", "[host]") {
  const Check check = check_handshake(answered(EnvelopeStatus::failed, {}), kSubject);
  REQUIRE(check.fix);
  CHECK(check.fix->steps.front() ==
        FixStep{FixStep::Kind::shell, "clawperator grant-device-permissions --device S1"});
  CHECK(check.guidance);
}

TEST_CASE("doctor: the smoke test passes exactly when its snapshot succeeded", "[host]") {
  const auto with = [](bool open, bool snapshot) {
    return answered(EnvelopeStatus::failed,
                    {step("open_app", open), step("snapshot_ui", snapshot)});
  };
  CHECK(check_smoke(with(false, true), kSubject).status == CheckStatus::pass);
  CHECK(check_smoke(with(true, false), kSubject).code == errc::smoke_open_settings_failed);
  CHECK(check_smoke(answered(EnvelopeStatus::success, {}), kSubject).status == CheckStatus::fail);
  CHECK(check_smoke(fail(errc::link_lost, "x"), kSubject).code == errc::smoke_open_settings_failed);
}
