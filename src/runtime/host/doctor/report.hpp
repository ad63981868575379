#pragma once
// doctor's report: checks in their published order, and the repairs of --fix. Pure.
//
//   {"ok","criticalOk","deviceId"?,"operatorPackage","checks":[..],"nextActions"?:[..],"fixes"?:[..]}

#include "base/error.hpp"
#include "base/json_text.hpp"

namespace clawperator {

enum class CheckStatus { pass, warn, fail };

struct FixStep {
  enum class Kind { shell, manual } kind = Kind::manual;
  std::string value{};

  bool operator==(const FixStep&) const = default;
};

struct Fix {
  std::string title{};
  std::vector<FixStep> steps{};
  std::string help_topic{};  // `clawperator help TOPIC` explains more; empty: none

  bool operator==(const Fix&) const = default;
};

// Steps that only a person at the phone can do.
struct DeviceGuidance {
  std::string screen{};
  std::vector<std::string> steps{};

  bool operator==(const DeviceGuidance&) const = default;
};

struct Check {
  std::string id{};
  CheckStatus status = CheckStatus::pass;
  std::optional<Errc> code{};
  std::string summary{};
  std::string detail{};  // empty: none
  std::optional<Fix> fix{};
  std::optional<DeviceGuidance> guidance{};
  std::string evidence{};  // the text of one JSON object, or empty

  bool operator==(const Check&) const = default;
};

// `evidence`: the text of one JSON object.
Check passed(std::string_view id, std::string summary, std::string evidence = {});
Check troubled(std::string_view id, CheckStatus status, Errc code, std::string summary,
               std::string detail = {}, std::optional<Fix> fix = {});

// One repair under --fix: the check as it was and as it is now.
struct Repair {
  std::string action{};  // the repair, as a command line
  std::optional<Error> error{};
  Check before{};
  Check after{};

  // The repair was done, and the check that was run again passes.
  [[nodiscard]] bool ok() const { return !error && after.status == CheckStatus::pass; }
};

struct Report {
  std::optional<std::string> device_id{};
  std::string operator_package{};
  std::vector<Check> checks{};
  bool fixing = false;  // --fix was given
  std::vector<Repair> repairs{};

  [[nodiscard]] const Check* find(std::string_view id) const;
};

// The pages of `clawperator help` that a check may point to.
inline constexpr std::string_view kDevicesTopic = "devices";
inline constexpr std::string_view kDoctorTopic = "doctor";
inline constexpr std::string_view kMigrateTopic = "migrate";
inline constexpr std::string_view kSetupTopic = "operator setup";
inline constexpr std::string_view kVersionTopic = "version";
inline constexpr std::array kDoctorTopics{kDevicesTopic, kDoctorTopic, kMigrateTopic, kSetupTopic,
                                          kVersionTopic};
std::string help_command(std::string_view topic);

// A failure of such a check is a failure of the whole; the others advise.
bool is_critical(std::string_view check_id);
bool critical_ok(const Report& report);

// The next steps, without repetition: those of the failed checks, in order; when all passed, the
// help and a first command.
std::vector<std::string> next_actions(const Report& report);

// `details.fixes`: the repairs before the error.
Error with_fixes(const Error& error, const Report& report);

std::string_view status_name(CheckStatus status);

// {"id","status","code"?,"summary","detail"?}: what every rendering of a check begins with.
JsonObject check_head(const Check& check);

// Compact; the command indents it.
std::string to_json(const Report& report);

}  // namespace clawperator
