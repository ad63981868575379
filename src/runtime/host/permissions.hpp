#pragma once
// The permissions that the Operator app needs, granted in the published order: its accessibility
// service, POST_NOTIFICATIONS, its notification listener.
//
//   read (all at once) -> write, one after the other -> read again what was written
//
// Where Android keeps them: the accessibility list is a setting, which the system rewrites (it
// removes apps that are not installed yet, or not trusted); grants of notification listeners live
// in a file of its own since Android 8, and the setting of that name grants nothing.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "base/json_text.hpp"
#include "runtime/engine/service_list.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

struct ServiceGrant {
  bool ok = false;
  bool already_enabled = false;
  std::optional<std::string> error{};
};

struct PermissionGrant {
  bool ok = false;
  bool skipped = false;  // this Android has no such permission, or it is granted for good
  std::optional<std::string> error{};
};

// True at any moment: a step that was not reached has a text in its `error`.
struct GrantReport {
  ServiceGrant accessibility{};
  PermissionGrant notification{};
  ServiceGrant notification_listener{};

  [[nodiscard]] bool ok() const {
    return accessibility.ok && notification.ok && notification_listener.ok;
  }
  // The first failure, in that order; empty when there is none.
  [[nodiscard]] std::string first_error() const;
};

// The device's state before anything is changed.
struct PermissionState {
  ServiceList accessibility{};
  ServiceList listeners{};            // the setting
  std::optional<bool> may_listen{};   // the system's own state of our listener
  bool accessibility_is_off = false;  // whatever the list contains
  // The output of `pm list packages` for both variants of the Operator; absent: it failed.
  std::optional<std::string> packages{};
};

// All questions at once. Fails only when the device is gone.
Task<PermissionState> read_permission_state(AndroidServices* services,
                                            std::string operator_package);

// Nothing was tried yet, or nothing will be: then `why` is the first error.
GrantReport untried_grants(std::string why = "not tried");

// Every grant is tried, also after one that failed; entries of other apps stay. `report` is kept
// current, so it also contains what was done when this is cancelled or fails; it fails only when
// the device is gone. `services` must be those that have read `before`.
Task<void> write_grants(AndroidServices* services, std::string operator_package,
                        PermissionState before, GrantReport* report);
// Reads whether the device has kept the new values; an accessibility service that the system has
// taken off its list again within kSettleTime is enabled once more.
inline constexpr std::chrono::milliseconds kSettleTime{1500};
Task<void> confirm_grants(AndroidServices* services, std::string operator_package,
                          GrantReport* report);

// The three of them.
Task<GrantReport> grant_permissions(adbproto::Device* device, std::string operator_package);

// The accessibility service alone: enabled again when it is listed but does not run.
Task<ServiceGrant> enable_accessibility(adbproto::Device* device, std::string operator_package);

// {"ok":..,"alreadyEnabled":..}, {"ok":..,"skipped":..}, each with its `error`, if any.
std::string to_json(const ServiceGrant& grant);
std::string to_json(const PermissionGrant& grant);
// The members "accessibility", "notification" and "notificationListener".
JsonObject& add_grants(JsonObject& json, const GrantReport& report);

}  // namespace clawperator
