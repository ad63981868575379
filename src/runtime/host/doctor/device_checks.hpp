#pragma once
// Judges the answers of the device and of the Operator app on it. Pure.

#include "base/error.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/service_list.hpp"
#include "runtime/host/doctor/report.hpp"
#include "runtime/host/operator/compatibility.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

// The device and app that the advice names.
struct Subject {
  std::string device_id{};
  std::string operator_package{};

  // " --device S", and the package where it is not the release.
  [[nodiscard]] std::string flags() const;
};

struct DeviceAnswers {
  Result<CommandOutput> sdk{};
  Result<CommandOutput> wm_size{};
  Result<CommandOutput> wm_density{};
  Result<CommandOutput> screen{};
  Result<CommandOutput> developer_options{};
  Result<CommandOutput> usb_debugging{};
  Result<CommandOutput> wifi_debugging{};
  Result<CommandOutput> log_probe{};  // read later than the others
  Result<Compatibility> compatibility{};
  ProgramVersions versions{};
  PhoneMaker maker{};
};

// Why the accessibility service may be down; read only when it is.
struct ServiceFacts {
  ServiceListing listed = ServiceListing::unknown;
  bool ui_automation = false;  // a client of it is connected, which keeps services from running
  PhoneMaker maker{};
};

Check check_capability(const DeviceAnswers& answers, const Subject& subject);
// nullopt: the screen is on and unlocked, or the device reports neither.
std::optional<Check> check_screen(const DeviceAnswers& answers, const Subject& subject);
Check check_presence(const DeviceAnswers& answers, const Subject& subject);
// nullopt: the question does not arise without the package.
std::optional<Check> check_version(const DeviceAnswers& answers, const Subject& subject);
Check check_developer_options(const DeviceAnswers& answers, const Subject& subject);
Check check_usb_debugging(const DeviceAnswers& answers, const Subject& subject);
// nullopt: the log takes what an execution needs, or that is unknown.
std::optional<Check> check_log(const DeviceAnswers& answers, const Subject& subject);

Check check_handshake(const Result<ExecuteResult>& result, const Subject& subject,
                      const ServiceFacts& facts = {});
Check check_smoke(const Result<ExecuteResult>& result, const Subject& subject);

inline constexpr std::string_view kHandshake = "readiness.handshake";
inline constexpr std::string_view kDeveloperOptions = "readiness.settings.dev_options";
inline constexpr std::string_view kUsbDebugging = "readiness.settings.usb_debugging";

}  // namespace clawperator
