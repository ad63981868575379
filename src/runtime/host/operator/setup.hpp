#pragma once
// The Operator app onto a device, ready to work:
//
//   file -> install -> permissions -> verification
//
// Each phase writes its result into a SetupReport, which is kept current: however the work ends,
// the report contains how far it came.

#include "adbproto/client/install.hpp"
#include "runtime/device/target_file.hpp"
#include "runtime/host/operator/grants.hpp"

namespace clawperator {

struct InstallPhase {
  bool ok = false;
  std::optional<int> exit_code{};  // of a refusal by the device, as adb's
  std::optional<std::string> error{};
};

struct VerificationPhase {
  bool ok = false;
  bool package_installed = false;
  std::optional<std::string> error{};
};

struct SetupReport {
  bool begun = false;  // there is something to report
  std::string operator_package = "<unknown>";
  InstallPhase install{};
  std::optional<GrantReport> permissions{};
  std::optional<VerificationPhase> verification{};
  std::optional<std::string> apk_version{};  // from the device, once it is verified
  bool dispatched = false;                   // the device has the whole package: it may install it
  std::uint64_t sent = 0;                    // bytes of the package
  std::string warning{};                     // a problem that is no failure
};

struct SetupRequest {
  std::string apk;
  std::optional<std::string> operator_package{};  // named by the user; else the installed one
  std::function<void(const adbproto::InstallProgress&)> on_progress{};
  Ping ping{};
  bool accept_new_signer = false;
  OnNotice on_notice{};
};

// The first phase, before any device is opened: operator_apk_not_found when there is no file that
// could be sent, operator_signer_changed when its signer is another one than before.
Task<void> check_apk_file(const SetupRequest* request, SetupReport* report);

// The others. Fails with operator_install_failed, operator_grant_failed, operator_verify_failed or
// link_lost; setup_error adds the phases that were completed.
Task<void> set_up_operator(adbproto::Device* device, SetupRequest request, SetupReport* report);

// `error` with the phases reached: {"operatorPackage","install","permissions"?,"verification"?}
// and, where the outcome of something begun is unknown, `details`.
Error setup_error(const Error& error, const SetupReport& report);
// {"operatorPackage","install","permissions","verification","apkVersion"?,"missing"?,"message"} of
// a success.
std::string to_json(const SetupReport& report);
std::string setup_message(const SetupReport& report);
// The features that the installed version lacks.
std::vector<const OperatorFeature*> missing_after(const SetupReport& report);

}  // namespace clawperator
