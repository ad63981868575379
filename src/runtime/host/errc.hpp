#pragma once
// The errors of the commands around executions: the Operator app, the phone's settings, recordings.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode cli_version_invalid{"CLI_VERSION_INVALID", 500,
                                               "The program's own version cannot be compared."};
inline constexpr ErrorCode apk_version_unreadable{
    "APK_VERSION_UNREADABLE", 500, "The device does not report the Operator's version."};
inline constexpr ErrorCode apk_version_invalid{"APK_VERSION_INVALID", 500,
                                               "The Operator's version cannot be compared."};
inline constexpr ErrorCode version_incompatible{
    "VERSION_INCOMPATIBLE", 500,
    "The installed Operator app is older than the oldest one that works with this program."};
inline constexpr ErrorCode operator_apk_not_found{
    "OPERATOR_APK_NOT_FOUND", 400,
    "The named Operator package file is not there; nothing was sent to the device."};
inline constexpr ErrorCode operator_install_failed{
    "OPERATOR_INSTALL_FAILED", 500,
    "The device did not install the package. `install` has its output; no permission was "
    "changed."};
inline constexpr ErrorCode operator_grant_failed{
    "OPERATOR_GRANT_FAILED", 500,
    "The package is installed, but not every permission was granted. `permissions` lists them."};
inline constexpr ErrorCode operator_verify_failed{
    "OPERATOR_VERIFY_FAILED", 500,
    "The package is not found after its installation, or it is not clear which variant is "
    "meant."};
inline constexpr ErrorCode grant_device_permissions_failed{
    "GRANT_DEVICE_PERMISSIONS_FAILED", 500,
    "Not every permission was granted. `accessibility`, `notification`, `notificationListener` "
    "say which."};
inline constexpr ErrorCode operator_metadata_invalid{
    "OPERATOR_METADATA_INVALID", 500,
    "The release metadata cannot be read; nothing was downloaded."};
inline constexpr ErrorCode operator_download_failed{
    "OPERATOR_DOWNLOAD_FAILED", 500,
    "A download failed; `details.url` names it. The received part is kept for the next try."};
inline constexpr ErrorCode operator_checksum_failed{
    "OPERATOR_CHECKSUM_FAILED", 500,
    "The downloaded package does not have the published checksum and was removed."};
inline constexpr ErrorCode operator_signer_changed{
    "OPERATOR_SIGNER_CHANGED", 409,
    "The package is signed by another signer than before, or by none that can be read; nothing "
    "was installed, no file replaced. `details`: package, expected, found."};
inline constexpr ErrorCode other_program_in_path{
    "OTHER_PROGRAM_IN_PATH", 500, "PATH has another clawperator or androperator than this one."};
inline constexpr ErrorCode device_dev_options_disabled{"DEVICE_DEV_OPTIONS_DISABLED", 500,
                                                       "Developer options are off on the device."};
inline constexpr ErrorCode device_usb_debugging_disabled{"DEVICE_USB_DEBUGGING_DISABLED", 500,
                                                         "USB debugging is off on the device."};
inline constexpr ErrorCode device_accessibility_not_running{
    "DEVICE_ACCESSIBILITY_NOT_RUNNING", 500,
    "The Operator answers, but its accessibility service is not running."};
inline constexpr ErrorCode android_build_failed{"ANDROID_BUILD_FAILED", 500,
                                                "The Gradle build of the Operator failed."};
inline constexpr ErrorCode android_install_failed{"ANDROID_INSTALL_FAILED", 500,
                                                  "The built Operator could not be installed."};
inline constexpr ErrorCode smoke_open_settings_failed{
    "SMOKE_OPEN_SETTINGS_FAILED", 500, "The smoke test (close, open and read Settings) failed."};
inline constexpr ErrorCode recording_session_not_found{"RECORDING_SESSION_NOT_FOUND", 404,
                                                       "No such recording on the device."};
inline constexpr ErrorCode recording_pull_failed{
    "RECORDING_PULL_FAILED", 500, "The recording could not be copied from the device."};
inline constexpr ErrorCode recording_parse_failed{
    "RECORDING_PARSE_FAILED", 400, "The recording breaks its format; the message names the line."};
inline constexpr ErrorCode recording_schema_version_unsupported{
    "RECORDING_SCHEMA_VERSION_UNSUPPORTED", 400,
    "The recording has a schema version other than 1."};
inline constexpr ErrorCode recording_export_failed{"RECORDING_EXPORT_FAILED", 500,
                                                   "The recording could not be exported."};
inline constexpr ErrorCode crash_log_unavailable{
    "CRASH_LOG_UNAVAILABLE", 500,
    "The Operator's crash log cannot be read on this build; the message has the reason."};
inline constexpr ErrorCode package_not_found{
    "PACKAGE_NOT_FOUND", 404,
    "The package is not installed for the user in front of the device; nothing was changed."};
inline constexpr ErrorCode effect_not_confirmed{
    "EFFECT_NOT_CONFIRMED", 500,
    "The device took the command, but the state that was read back is not the requested one; the "
    "message contains it. `details`: deviceId, and the state."};
inline constexpr ErrorCode link_at_risk{
    "LINK_AT_RISK", 409,
    "It would cut the very connection that the device is reached by; nothing was sent."};
inline constexpr ErrorCode device_not_interactive{
    "DEVICE_NOT_INTERACTIVE", 409,
    "The device's screen is off or locked; nothing was run. `details`: deviceId, awake, locked."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kHostErrors[] = {&errc::cli_version_invalid,
                                                   &errc::apk_version_unreadable,
                                                   &errc::apk_version_invalid,
                                                   &errc::version_incompatible,
                                                   &errc::operator_apk_not_found,
                                                   &errc::operator_install_failed,
                                                   &errc::operator_grant_failed,
                                                   &errc::operator_verify_failed,
                                                   &errc::grant_device_permissions_failed,
                                                   &errc::operator_metadata_invalid,
                                                   &errc::operator_download_failed,
                                                   &errc::operator_checksum_failed,
                                                   &errc::operator_signer_changed,
                                                   &errc::other_program_in_path,
                                                   &errc::device_dev_options_disabled,
                                                   &errc::device_usb_debugging_disabled,
                                                   &errc::device_accessibility_not_running,
                                                   &errc::android_build_failed,
                                                   &errc::android_install_failed,
                                                   &errc::smoke_open_settings_failed,
                                                   &errc::recording_session_not_found,
                                                   &errc::recording_pull_failed,
                                                   &errc::recording_parse_failed,
                                                   &errc::recording_schema_version_unsupported,
                                                   &errc::recording_export_failed,
                                                   &errc::crash_log_unavailable,
                                                   &errc::package_not_found,
                                                   &errc::effect_not_confirmed,
                                                   &errc::link_at_risk,
                                                   &errc::device_not_interactive};

}  // namespace clawperator
