#pragma once
// What an Error is about. The values are stable within a build only; callers see the published
// spelling, which stands with exit code and HTTP status in runtime/contract/error_codes.cpp.

#include <cstdint>

namespace adbproto {

enum class Errc : std::uint16_t {
  // The transport family: what codecs, machines and links report. Of a peer's bytes a codec says
  // `protocol`, `limit` or, for its FAIL, `refused`; of our caller's `invalid_argument`.
  cancelled,          // somebody asked to stop
  deadline_exceeded,  // the peer did not answer in time
  closed,             // orderly end of a stream or link
  io,                 // the operating system refused; the message carries its text
  protocol,           // the peer sent what the protocol does not allow
  limit,              // a bound was reached
  refused,            // the peer said no (FAIL, CLSE); the message carries its text
  unsupported,        // the peer lacks a feature
  invalid_argument,   // our caller is wrong

  // The published family, in the order of docs/errors.md.
  execution_validation_failed,
  payload_too_large,
  no_devices,
  device_not_found,
  multiple_devices_device_id_required,
  operator_not_installed,
  operator_variant_mismatch,
  execution_conflict_in_flight,
  broadcast_failed,
  result_envelope_timeout,
  result_envelope_malformed,
  result_transport_exited,
  logcat_unavailable,
  link_lost,
  device_shell_unavailable,
  device_unauthorized,
  device_offline,
  auth_pairing_failed,
  usb_no_permission,
  usb_busy,
  device_identity_changed,
  adb_server_failed,
  adb_not_found,
  snapshot_extraction_failed,
  screenshot_capture_failed,
  stale_ref,
  missing_argument,
  missing_selector,
  unknown_command,
  usage,
  not_implemented,
  file_unreadable,
  file_write_failed,
  cli_version_invalid,
  apk_version_unreadable,
  apk_version_invalid,
  version_incompatible,
  operator_apk_not_found,
  operator_install_failed,
  operator_grant_failed,
  operator_verify_failed,
  grant_device_permissions_failed,
  operator_metadata_invalid,
  operator_download_failed,
  operator_checksum_failed,
  host_dependency_missing,
  adb_keys_unusable,
  device_dev_options_disabled,
  device_usb_debugging_disabled,
  device_accessibility_not_running,
  android_build_failed,
  android_install_failed,
  android_app_launch_failed,
  smoke_open_settings_failed,
  recording_session_not_found,
  recording_pull_failed,
  recording_parse_failed,
  recording_schema_version_unsupported,
  recording_export_failed,
  crash_log_unavailable,
  android_sdk_tool_missing,
  android_system_image_install_failed,
  android_avd_create_failed,
  emulator_not_found,
  emulator_not_running,
  emulator_already_running,
  emulator_unsupported,
  emulator_start_failed,
  emulator_stop_failed,
  emulator_delete_failed,
  emulator_boot_timeout,
  unknown,
};

}  // namespace adbproto
