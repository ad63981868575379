#include "runtime/host/operator/compatibility.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "base/error_members.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/release.hpp"

namespace clawperator {

namespace {

// Everything that the judgement is made of.
struct Facts {
  std::string package;  // the chosen one
  const ProgramVersions& versions;
  const std::optional<std::string>& dumpsys;
  std::string serial{};
  std::string listing_problem{};

  [[nodiscard]] std::string setup() const { return setup_command(package, serial); }
};

// The release's own number, which is part of the download's name.
std::string release_number(std::string_view version) {
  const auto parsed = parse_version(version);
  return parsed ? to_string(*parsed) : std::string(version);
}

// How a person gets the right app onto the device.
std::vector<std::string> install_steps(const Facts& facts) {
  const std::string number = release_number(facts.versions.apk_compat);
  if (is_debug_variant(facts.package)) {
    return {"Build the debug APK of version " + number + " from its source checkout",
            "Install it: " + facts.setup()};
  }
  const OperatorFamily& family = family_of(facts.package);
  if (family.package != kReleaseOperatorPackage) {
    return {"Download the latest APK, with its checksum: clawperator operator download --latest" +
                target_flags(facts.package, ""),
            "Install it: " + facts.setup()};
  }
  const OperatorRelease release = release_of(number, family.metadata_url);
  return {"Download the matching APK: " + release.apk_url,
          "Download the checksum: " + release.checksum_url,
          "Verify the checksum: sha256sum -c " + package_file_name(number) + ".sha256",
          "Or let this do all three: clawperator operator download --version " + number,
          "Install the matching APK: " + facts.setup()};
}

struct Finding {
  Errc code;
  std::string message;
  std::string hint;
  ErrorMembers details{};
  std::vector<std::string> remediation{};
};

Compatibility incompatible(Compatibility report, Finding finding) {
  ErrorMembers members;
  members.text("hint", finding.hint);
  if (!finding.details.empty()) members.object("details", finding.details);
  report.problem = Error(finding.code, std::move(finding.message), members.str());
  report.remediation = std::move(finding.remediation);
  return report;
}

Finding bad_program(const ProgramVersions& versions) {
  return {errc::cli_version_invalid,
          "CLI version " + versions.cli + " (for APK " + versions.apk_compat +
              ") is no version that can be compared.",
          "This build names no Operator version that could be compared.",
          ErrorMembers().text("cliVersion", versions.cli).text("apkCompat", versions.apk_compat),
          {"Reinstall clawperator"}};
}

Finding not_listed(const Facts& facts) {
  return {errc::device_shell_unavailable,
          "Could not query installed packages for " + facts.package + ".",
          "The device's package manager does not answer: reconnect or restart the device.",
          facts.listing_problem.empty() ? ErrorMembers()
                                        : ErrorMembers().text("reason", facts.listing_problem),
          {"See whether the device answers: clawperator packages list" +
               target_flags(std::string(kReleaseOperatorPackage), facts.serial),
           "Reconnect the device, then check again"}};
}

Finding wrong_variant(const Facts& facts) {
  const std::string found = alternate_variant(facts.package);
  return {errc::operator_variant_mismatch,
          "Expected " + facts.package + " but found " + found + ".",
          "Use the installed package, or install the other variant.",
          ErrorMembers().text("installedPackage", found),
          {"Use the installed variant: --operator-package " + shell_word(found),
           "Or install the requested one: " + facts.setup()}};
}

Finding not_installed(const Facts& facts) {
  return {errc::operator_not_installed,
          "Package " + facts.package + " is not installed on the device.",
          "Install the Operator APK, or name the package that is installed.",
          ErrorMembers().text("installCommand", facts.setup()), install_steps(facts)};
}

Finding unreadable(const Facts& facts, std::string message) {
  return {errc::apk_version_unreadable,
          std::move(message),
          "Install the APK again, or look at what the device says of the package.",
          {},
          // Two shells read it: the person's and the device's.
          {"Look at the package: clawperator adb" +
               (facts.serial.empty() ? "" : " -s " + shell_word(facts.serial)) +
               " shell dumpsys package " + shell_word(shell_word(facts.package)),
           "Install the APK again: " + facts.setup()}};
}

Finding bad_version(const Facts& facts, const std::string& version) {
  return {errc::apk_version_invalid,
          "Installed APK version " + version + " is no version that can be compared.",
          "Install a released Operator APK.",
          {},
          install_steps(facts)};
}

Finding too_old(const Facts& facts, const std::string& version) {
  return {errc::version_incompatible,
          "CLI " + facts.versions.cli + " is not compatible with installed APK " + version + ".",
          "This program works with Operator apps from " + to_string(kOldestOperator) + " on.",
          ErrorMembers().text("apkCompat", facts.versions.apk_compat).text("apkVersion", version),
          install_steps(facts)};
}

Compatibility judge_version(const Facts& facts, Compatibility report) {
  if (!facts.dumpsys || trimmed(*facts.dumpsys).empty()) {
    return incompatible(std::move(report),
                        unreadable(facts, "The device does not report the installed version of " +
                                              facts.package + "."));
  }
  const InstalledVersion installed = parse_installed_version(*facts.dumpsys);
  if (!installed.name) {
    return incompatible(
        std::move(report),
        unreadable(facts, "The device's description of " + facts.package + " names no version."));
  }
  report.apk_version = installed.name;
  report.apk_version_code = installed.code;
  const auto apk = parse_version(*installed.name);
  if (!apk) return incompatible(std::move(report), bad_version(facts, *installed.name));
  if (*apk < kOldestOperator) {
    return incompatible(std::move(report), too_old(facts, *installed.name));
  }
  report.compatible = true;
  report.missing = missing_features(*apk);
  if (is_newer_than_known(*apk)) {
    report.note = "This program does not know Operator " + *installed.name +
                  ": it takes it for version " + to_string(kNewestOperator) + ".";
  }
  return report;
}

Finding several(const PackageCheck& check, const std::string& serial) {
  const Error error = ambiguous_operator(check.rivals, serial.empty() ? "the device" : serial);
  std::vector<std::string> steps;
  for (const std::string& package : check.rivals) {
    steps.push_back("Use this one: --operator-package " + shell_word(package));
  }
  return {error.code(), error.message(), "Name the package, or uninstall the other one.",
          ErrorMembers().strings("packages", check.rivals), std::move(steps)};
}

Compatibility judge(const Facts& facts, const std::optional<PackageCheck>& check) {
  Compatibility report;
  report.operator_package = facts.package;
  report.listing_problem = facts.listing_problem;
  if (!parse_version(facts.versions.cli) || !parse_version(facts.versions.apk_compat)) {
    return incompatible(std::move(report), bad_program(facts.versions));
  }
  if (!check) return incompatible(std::move(report), not_listed(facts));
  if (!check->rivals.empty()) return incompatible(std::move(report), several(*check, facts.serial));
  if (check->installed) return judge_version(facts, std::move(report));
  return incompatible(std::move(report),
                      check->alternate_installed ? wrong_variant(facts) : not_installed(facts));
}

}  // namespace

std::optional<std::int64_t> Compatibility::code() const {
  return apk_version_code ? whole_number<std::int64_t>(*apk_version_code) : std::nullopt;
}

namespace {

std::optional<PackageCheck> check_of(const std::optional<std::string>& listing,
                                     const NamedOperator& wanted) {
  return listing ? std::optional(find_packages(*listing, wanted)) : std::nullopt;
}

std::string package_of(const std::optional<PackageCheck>& check, const NamedOperator& wanted) {
  return check ? check->package : wanted.value_or(std::string(kReleaseOperatorPackage));
}

// Of the named package, or else of both releases, while the query for the installed one runs.
Task<std::vector<Result<CommandOutput>>> dump_packages(adbproto::Device* device,
                                                       NamedOperator wanted) {
  using namespace base::parallel;
  std::vector<Result<CommandOutput>> dumps;
  if (wanted) {
    dumps.push_back(co_await run_on_device(device, package_state_line(*wanted)));
    co_return dumps;
  }
  const auto families = operator_families();
  auto [older, newer] =
      co_await (run_on_device(device, package_state_line(families.front().package)) &&
                run_on_device(device, package_state_line(families.back().package)));
  dumps.push_back(std::move(older));
  dumps.push_back(std::move(newer));
  co_return dumps;
}

}  // namespace

Task<std::string> find_installed_operator(adbproto::Device* device, NamedOperator wanted) {
  if (wanted) co_return *std::move(wanted);
  AndroidServices services(device);
  const auto listed = co_await list_matching(&services, operator_filter(wanted));
  if (!listed && ends_everything(listed.error())) co_return std::unexpected(listed.error());
  if (!listed) co_return std::string(kReleaseOperatorPackage);
  PackageCheck check = find_packages(listed->out, wanted);
  if (check.rivals.empty()) co_return std::move(check.package);
  co_return std::unexpected(ambiguous_operator(check.rivals, device->serial()));
}

Task<Compatibility> check_compatibility(adbproto::Device* device, NamedOperator operator_package,
                                        ProgramVersions versions) {
  using namespace base::parallel;
  AndroidServices services(device);
  auto [listed, dumps] = co_await (list_matching(&services, operator_filter(operator_package)) &&
                                   dump_packages(device, operator_package));
  if (!listed && ends_everything(listed.error())) co_return std::unexpected(listed.error());
  CO_TRY_VOID(dumps);
  for (const auto& dump : *dumps) {
    if (!dump && ends_everything(dump.error())) co_return std::unexpected(dump.error());
  }
  const auto check = check_of(listed ? std::optional(listed->out) : std::nullopt, operator_package);
  const std::string package = package_of(check, operator_package);
  const bool is_newer = !operator_package && package == operator_families().back().package;
  const auto& dumped = is_newer ? dumps->back() : dumps->front();
  const auto dumpsys =
      dumped && dumped->exit_status == 0 ? std::optional(dumped->out) : std::nullopt;
  Facts facts{package, versions, dumpsys, device->serial()};
  if (!listed) facts.listing_problem = one_message(listed.error().message());
  co_return judge(facts, check);
}

Compatibility judge_compatibility(const NamedOperator& operator_package,
                                  const ProgramVersions& versions,
                                  const std::optional<std::string>& listing,
                                  const std::optional<std::string>& dumpsys) {
  const auto check = check_of(listing, operator_package);
  return judge({package_of(check, operator_package), versions, dumpsys}, check);
}

JsonObject versions_json(const Compatibility& compatibility, const ProgramVersions& versions) {
  JsonObject json;
  json.text("cliVersion", versions.cli).text("apkCompat", versions.apk_compat);
  if (compatibility.apk_version) json.text("apkVersion", *compatibility.apk_version);
  if (const auto code = compatibility.code()) json.number("apkVersionCode", *code);
  return json.text("operatorPackage", compatibility.operator_package);
}

std::string to_json(const Compatibility& compatibility, const ProgramVersions& versions) {
  JsonObject json = versions_json(compatibility, versions);
  json.boolean("compatible", compatibility.compatible);
  if (!compatibility.missing.empty()) json.json("missing", missing_json(compatibility.missing));
  if (!compatibility.note.empty()) json.text("note", compatibility.note);
  if (compatibility.problem) json.json("error", to_json(*compatibility.problem));
  if (!compatibility.remediation.empty()) json.strings("remediation", compatibility.remediation);
  return json.str();
}

}  // namespace clawperator
