#pragma once
// Does the installed Operator app fit this program? It does when major.minor of the app and of the
// build constant `apkCompat` are the same; a trailing "-d" and prerelease suffixes are ignored.

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "base/error.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator {

// The versions of this program: its own, and the app's that it is meant for.
struct ProgramVersions {
  std::string cli;
  std::string apk_compat;
};

struct Compatibility {
  std::string operator_package{};
  std::optional<std::string> apk_version{};       // as the device tells it, "0.5.3-d"
  std::optional<std::string> apk_version_code{};  // at most 18 digits
  // apk_version_code as a number.
  [[nodiscard]] std::optional<std::int64_t> code() const;
  bool compatible = false;
  std::string listing_problem{};  // why the installed packages are not known, in the device's words
  // Set when not compatible; one of the codes of section 5, with hint and details.
  std::optional<Error> problem{};
  std::vector<std::string> remediation{};  // what to run or do, in order
};

struct Version {
  int major = 0, minor = 0, patch = 0;
  bool operator==(const Version&) const = default;
};
// "0.5.3", "0.5.3-d", "1.2.3-rc.1"; nullopt for anything else.
std::optional<Version> parse_version(std::string_view text);

// Of `dumpsys package X`: the first versionName and versionCode outside of "Hidden system
// packages".
struct InstalledVersion {
  std::optional<std::string> name{};
  std::optional<std::string> code{};
};
InstalledVersion parse_installed_version(std::string_view dumpsys);

// All questions are asked at once. Fails only when the device is gone (link_lost); a device that
// cannot answer is a report with a problem.
Task<Compatibility> check_compatibility(adbproto::Device* device, std::string operator_package,
                                        ProgramVersions versions);

// Judges what the device answered; pure. `listing` and `dumpsys` are absent when asking failed.
Compatibility judge_compatibility(const std::string& operator_package,
                                  const ProgramVersions& versions,
                                  const std::optional<std::string>& listing,
                                  const std::optional<std::string>& dumpsys);

// {"cliVersion","apkCompat","apkVersion"?,"apkVersionCode"?,"operatorPackage"}
JsonObject versions_json(const Compatibility& compatibility, const ProgramVersions& versions);
// The published report: the same with "compatible","error"?,"remediation"?.
std::string to_json(const Compatibility& compatibility, const ProgramVersions& versions);

}  // namespace clawperator
