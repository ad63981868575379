#pragma once
// Whether the installed Operator app fits this program. A version that is not too old does, with
// its missing features; contract/operator_app has the table. A trailing "-d" and prerelease
// suffixes are ignored.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "base/error.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {

// The versions of this program: its own, and the newest one of the app that it was built for.
struct ProgramVersions {
  std::string cli;
  std::string apk_compat;
};

struct Compatibility {
  std::string operator_package{};
  std::optional<std::string> apk_version{};       // as the device reports it, "0.5.3-d"
  std::optional<std::string> apk_version_code{};  // at most 18 digits
  // apk_version_code as a number.
  [[nodiscard]] std::optional<std::int64_t> code() const;
  bool compatible = false;
  std::vector<const OperatorFeature*> missing{};  // features that this version lacks
  std::string note{};                             // an assumption about an unknown version
  std::string listing_problem{};  // why the installed packages are not known, in the device's words
  // Set when not compatible; one of the codes of section 5, with hint and details.
  std::optional<Error> problem{};
  std::vector<std::string> remediation{};  // what to run or do, in order
};

// The package that is named, else the installed one: the older family's release where none is
// installed, or the device does not report it. operator_ambiguous; errors after which the device
// cannot be used.
Task<std::string> find_installed_operator(adbproto::Device* device, NamedOperator wanted);

// All queries run at once. Fails only when the device is gone (link_lost); a device that cannot
// answer is a report with a problem.
Task<Compatibility> check_compatibility(adbproto::Device* device, NamedOperator operator_package,
                                        ProgramVersions versions);

// Judges the device's answers; pure. `listing` and `dumpsys` (of the package that choose_operator
// names) are absent when their query failed.
Compatibility judge_compatibility(const NamedOperator& operator_package,
                                  const ProgramVersions& versions,
                                  const std::optional<std::string>& listing,
                                  const std::optional<std::string>& dumpsys);

// {"cliVersion","apkCompat","apkVersion"?,"apkVersionCode"?,"operatorPackage"}
JsonObject versions_json(const Compatibility& compatibility, const ProgramVersions& versions);
// The published report: the same with "compatible","missing"?,"note"?,"error"?,"remediation"?.
std::string to_json(const Compatibility& compatibility, const ProgramVersions& versions);

}  // namespace clawperator
