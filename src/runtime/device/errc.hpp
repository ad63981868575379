#pragma once
// Why no device could be chosen or reached.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode no_devices{"NO_DEVICES", 404, "No device is ready."};
inline constexpr ErrorCode multiple_devices_device_id_required{
    "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED", 400,
    "Several devices are ready: name one with `--device`. `details.devices` lists them."};
inline constexpr ErrorCode device_identity_changed{
    "DEVICE_IDENTITY_CHANGED", 500,
    "Another phone answers where the device was, or one that no longer asks for TLS; nothing "
    "was done there. `details`: deviceId, expected, found, asksForTls."};
inline constexpr ErrorCode adb_server_failed{
    "ADB_SERVER_FAILED", 500, "No adb server answers and no other way to a device is known."};
inline constexpr ErrorCode adb_not_found{
    "ADB_NOT_FOUND", 500, "`--start-server` found no adb program in ADB_PATH, PATH or the SDK."};
inline constexpr ErrorCode runtime_folder_unusable{
    "RUNTIME_FOLDER_UNUSABLE", 500,
    "No folder for the locks of devices and the daemon's socket is this user's alone; the "
    "message names the folder and its owner, `hint` says what to do. Nothing was sent."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kDeviceErrors[] = {&errc::no_devices,
                                                     &errc::multiple_devices_device_id_required,
                                                     &errc::device_identity_changed,
                                                     &errc::adb_server_failed,
                                                     &errc::adb_not_found,
                                                     &errc::runtime_folder_unusable};

}  // namespace clawperator
