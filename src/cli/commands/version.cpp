#include "cli/version.hpp"

#include <array>

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/compatibility.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kVersionOptions{
    Option{"--check-compat", "", Arity::none, "", "does the app on the device fit this program?"},
};

ProgramVersions program_versions() {
  return {std::string(kVersionText), std::string(kApkCompatText)};
}

Answer plain_version(OutputMode output) {
  Answer answer;
  answer.json =
      JsonObject().text("cliVersion", kVersionText).text("apkCompat", kApkCompatText).str();
  if (output == OutputMode::pretty) {
    answer.text = "clawperator " + std::string(kVersionText) + ", for Operator app " +
                  std::string(kApkCompatText);
  }
  return answer;
}

Task<Compatibility> resolve_and_check(TargetOptions target, std::string package) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await check_compatibility(device.get(), std::move(package), program_versions());
}

std::string compatibility_for_people(const Compatibility& report) {
  std::string text = "clawperator " + std::string(kVersionText) + ", for Operator app " +
                     std::string(kApkCompatText) + "\n" + report.operator_package + " " +
                     printable_name(report.apk_version.value_or("(no version known)"));
  if (report.apk_version_code) text += " (" + *report.apk_version_code + ")";
  text += report.compatible ? "\ncompatible\n" : "\nNOT COMPATIBLE\n";
  if (report.problem) text += error_for_people(*report.problem);
  for (const std::string& step : report.remediation) text += "- " + step + "\n";
  return text;
}

Result<Answer> run_version(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  if (!invocation.arguments.has("--check-compat")) return plain_version(globals.output);
  TRY(const Compatibility report,
      run_chore(globals, resolve_and_check(globals.target, operator_package(globals)),
                "version --check-compat"));
  Answer answer;
  answer.json = to_json(report, program_versions());
  if (globals.output == OutputMode::pretty) answer.text = compatibility_for_people(report);
  answer.exit_code = report.compatible ? 0 : 1;
  return answer;
}

}  // namespace

constinit const Command kVersion = {
    "version",
    "",
    "[--check-compat]",
    "Print the version, and the Operator app's it is meant for",
    "--check-compat asks the device which version of the app it has: compatible when major and\n"
    "minor are those of apkCompat. Otherwise `error` says why and `remediation` what to do, and\n"
    "the exit code is 1.",
    "version\n"
    "version --check-compat\n"
    "version --check-compat --operator-package com.clawperator.operator.dev --output pretty\n",
    Reach::device,
    kVersionOptions,
    run_version};

}  // namespace clawperator::cli
