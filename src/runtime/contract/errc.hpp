#pragma once
// The codes that are published beside those of base and adbproto, in the order of docs/errors.md.

#include "adbproto/wire/errc.hpp"

namespace base::errc {

// From 64 on; `unknown` is the last.
// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr Errc execution_validation_failed{64};
inline constexpr Errc payload_too_large{65};
inline constexpr Errc no_devices{66};
inline constexpr Errc multiple_devices_device_id_required{67};
inline constexpr Errc operator_not_installed{68};
inline constexpr Errc operator_variant_mismatch{69};
inline constexpr Errc execution_conflict_in_flight{70};
inline constexpr Errc broadcast_failed{71};
inline constexpr Errc result_envelope_timeout{72};
inline constexpr Errc result_envelope_malformed{73};
inline constexpr Errc result_transport_exited{74};
inline constexpr Errc logcat_unavailable{75};
inline constexpr Errc device_shell_unavailable{76};
inline constexpr Errc device_identity_changed{77};
inline constexpr Errc adb_server_failed{78};
inline constexpr Errc adb_not_found{79};
inline constexpr Errc snapshot_extraction_failed{80};
inline constexpr Errc screenshot_capture_failed{81};
inline constexpr Errc stale_ref{82};
inline constexpr Errc missing_argument{83};
inline constexpr Errc missing_selector{84};
inline constexpr Errc unknown_command{85};
inline constexpr Errc usage{86};
inline constexpr Errc not_implemented{87};
inline constexpr Errc cli_version_invalid{88};
inline constexpr Errc apk_version_unreadable{89};
inline constexpr Errc apk_version_invalid{90};
inline constexpr Errc version_incompatible{91};
inline constexpr Errc operator_apk_not_found{92};
inline constexpr Errc operator_install_failed{93};
inline constexpr Errc operator_grant_failed{94};
inline constexpr Errc operator_verify_failed{95};
inline constexpr Errc grant_device_permissions_failed{96};
inline constexpr Errc operator_metadata_invalid{97};
inline constexpr Errc operator_download_failed{98};
inline constexpr Errc operator_checksum_failed{99};
inline constexpr Errc host_dependency_missing{100};
inline constexpr Errc device_dev_options_disabled{101};
inline constexpr Errc device_usb_debugging_disabled{102};
inline constexpr Errc device_accessibility_not_running{103};
inline constexpr Errc android_build_failed{104};
inline constexpr Errc android_install_failed{105};
inline constexpr Errc android_app_launch_failed{106};
inline constexpr Errc smoke_open_settings_failed{107};
inline constexpr Errc recording_session_not_found{108};
inline constexpr Errc recording_pull_failed{109};
inline constexpr Errc recording_parse_failed{110};
inline constexpr Errc recording_schema_version_unsupported{111};
inline constexpr Errc recording_export_failed{112};
inline constexpr Errc crash_log_unavailable{113};
inline constexpr Errc android_sdk_tool_missing{114};
inline constexpr Errc android_system_image_install_failed{115};
inline constexpr Errc android_avd_create_failed{116};
inline constexpr Errc emulator_not_found{117};
inline constexpr Errc emulator_not_running{118};
inline constexpr Errc emulator_already_running{119};
inline constexpr Errc emulator_unsupported{120};
inline constexpr Errc emulator_start_failed{121};
inline constexpr Errc emulator_stop_failed{122};
inline constexpr Errc emulator_delete_failed{123};
inline constexpr Errc emulator_boot_timeout{124};
inline constexpr Errc invalid_json{125};
inline constexpr Errc invalid_body{126};
inline constexpr Errc missing_execution{127};
inline constexpr Errc invalid_device_id{128};
inline constexpr Errc invalid_operator_package{129};
inline constexpr Errc invalid_path{130};
inline constexpr Errc invalid_query{131};
inline constexpr Errc not_found{132};
inline constexpr Errc method_not_allowed{133};
inline constexpr Errc too_many_requests{134};
inline constexpr Errc serve_failed{135};
inline constexpr Errc internal_error{136};
inline constexpr Errc invalid_input{137};
inline constexpr Errc input_text_unsupported{138};
inline constexpr Errc input_failed{139};
inline constexpr Errc package_not_found{140};
inline constexpr Errc effect_not_confirmed{141};
inline constexpr Errc link_at_risk{142};
inline constexpr Errc registry_read_failed{143};
inline constexpr Errc skill_not_found{144};
inline constexpr Errc skill_script_not_found{145};
inline constexpr Errc skill_validation_failed{146};
inline constexpr Errc skill_execution_failed{147};
inline constexpr Errc skill_execution_timeout{148};
inline constexpr Errc skill_output_assertion_failed{149};
inline constexpr Errc skill_result_parse_failed{150};
inline constexpr Errc skill_verification_indeterminate{151};
inline constexpr Errc skill_agent_cli_unavailable{152};
inline constexpr Errc device_not_interactive{153};
inline constexpr Errc artifact_not_found{154};
inline constexpr Errc compile_vars_parse_failed{155};
inline constexpr Errc compile_var_missing{156};
inline constexpr Errc compile_validation_failed{157};
inline constexpr Errc skill_id_invalid{158};
inline constexpr Errc skill_already_exists{159};
inline constexpr Errc skills_scaffold_failed{160};
inline constexpr Errc skills_index_stale{161};
inline constexpr Errc skills_sync_failed{162};
inline constexpr Errc skills_git_not_found{163};
inline constexpr Errc invalid_args{164};
inline constexpr Errc invalid_timeout_ms{165};
inline constexpr Errc invalid_expect_contains{166};
inline constexpr Errc unknown{167};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc
