#pragma once
// The errors of the emulator's commands.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode android_sdk_tool_missing{
    "ANDROID_SDK_TOOL_MISSING", 500,
    "Programs of the Android SDK are missing. `details.missingTools` names them."};
inline constexpr ErrorCode android_system_image_install_failed{
    "ANDROID_SYSTEM_IMAGE_INSTALL_FAILED", 500, "sdkmanager could not install the system image."};
inline constexpr ErrorCode android_avd_create_failed{
    "ANDROID_AVD_CREATE_FAILED", 500, "avdmanager could not create the virtual device."};
inline constexpr ErrorCode emulator_not_found{"EMULATOR_NOT_FOUND", 404,
                                              "No virtual device of that name."};
inline constexpr ErrorCode emulator_not_running{"EMULATOR_NOT_RUNNING", 404,
                                                "The emulator is not running."};
inline constexpr ErrorCode emulator_already_running{"EMULATOR_ALREADY_RUNNING", 409,
                                                    "The emulator is running already."};
inline constexpr ErrorCode emulator_already_exists{
    "EMULATOR_ALREADY_EXISTS", 409,
    "There is a virtual device of that name; nothing was changed. `--force` replaces it, with "
    "all that is on it."};
inline constexpr ErrorCode emulator_unsupported{
    "EMULATOR_UNSUPPORTED", 409,
    "The virtual device does not fit. `details.unsupportedReasons` says why."};
inline constexpr ErrorCode emulator_start_failed{
    "EMULATOR_START_FAILED", 500,
    "The emulator could not be started, ended before it was ready, or did not register in time. "
    "`details.logFile` has its output."};
inline constexpr ErrorCode emulator_stop_failed{"EMULATOR_STOP_FAILED", 500,
                                                "The emulator did not stop."};
inline constexpr ErrorCode emulator_delete_failed{
    "EMULATOR_DELETE_FAILED", 500, "avdmanager could not delete the virtual device."};
inline constexpr ErrorCode emulator_boot_timeout{
    "EMULATOR_BOOT_TIMEOUT", 504, "The emulator did not boot in time; it still runs."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kEmulatorErrors[] = {
    &errc::android_sdk_tool_missing,  &errc::android_system_image_install_failed,
    &errc::android_avd_create_failed, &errc::emulator_not_found,
    &errc::emulator_not_running,      &errc::emulator_already_running,
    &errc::emulator_already_exists,   &errc::emulator_unsupported,
    &errc::emulator_start_failed,     &errc::emulator_stop_failed,
    &errc::emulator_delete_failed,    &errc::emulator_boot_timeout};

}  // namespace clawperator
