#pragma once
// Errors of a device, its link and our keys.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode device_not_found{
    "DEVICE_NOT_FOUND", 404,
    "The selected device is absent or not ready. `details.connected` lists the ready devices."};
inline constexpr ErrorCode link_lost{
    "LINK_LOST", 500,
    "The connection to the device is lost. After a dispatch `details.dispatchAttempted` is true."};
inline constexpr ErrorCode device_unauthorized{
    "DEVICE_UNAUTHORIZED", 500,
    "The device waits for its owner to allow debugging from this computer."};
inline constexpr ErrorCode device_offline{"DEVICE_OFFLINE", 500,
                                          "The device is known but does not answer."};
inline constexpr ErrorCode auth_pairing_failed{
    "AUTH_PAIRING_FAILED", 401,
    "Pairing failed: the code is wrong or the phone closed its pairing dialog. Nothing was "
    "stored."};
inline constexpr ErrorCode usb_no_permission{
    "ADB_NO_USB_PERMISSIONS", 500,
    "The USB node of the device cannot be opened; the message contains the udev rule that allows "
    "it."};
inline constexpr ErrorCode usb_busy{
    "USB_INTERFACE_BUSY", 500,
    "Another process, mostly an adb server, holds the device's USB interface. Nothing was "
    "taken."};
inline constexpr ErrorCode adb_keys_unusable{
    "ADB_KEYS_UNUSABLE", 500,
    "The key that identifies this computer to phones cannot be read or created."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace adbproto {

inline constexpr const ErrorCode* kProtocolErrors[] = {
    &errc::device_not_found, &errc::link_lost,           &errc::device_unauthorized,
    &errc::device_offline,   &errc::auth_pairing_failed, &errc::usb_no_permission,
    &errc::usb_busy,         &errc::adb_keys_unusable};

}  // namespace adbproto
