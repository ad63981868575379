#include "runtime/contract/error_codes.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator {
namespace {

// In the order of docs/errors.md.
constexpr auto kErrors = std::to_array<ErrorRow>({
    {errc::cancelled, "CANCELLED", 130, 500,
     "The work was stopped from outside before its end: 130 by SIGINT, 143 by SIGTERM, 129 by "
     "SIGHUP."},
    {errc::deadline_exceeded, "COMMAND_TIMEOUT", 1, 504, "The peer did not answer in time."},
    {errc::closed, "STREAM_CLOSED", 1, 500, "The peer ended a stream before its answer was whole."},
    {errc::io, "IO_ERROR", 1, 500, "The operating system refused; the message has its text."},
    {errc::protocol, "PROTOCOL_ERROR", 1, 500, "The peer sent what its protocol does not allow."},
    {errc::limit, "LIMIT_EXCEEDED", 1, 500,
     "A peer's answer or our input is beyond a fixed bound."},
    {errc::refused, "PEER_REFUSED", 1, 500, "The adb server or the device said no."},
    {errc::unsupported, "UNSUPPORTED", 1, 500, "The peer lacks a feature that this needs."},
    {errc::invalid_argument, "INVALID_ARGUMENT", 1, 500, "An argument cannot be used."},
    {errc::execution_validation_failed, "EXECUTION_VALIDATION_FAILED", 1, 400,
     "The execution or the arguments it is made of break the contract; nothing was dispatched. "
     "`details`: path, reason, actionId, actionType, invalidKeys, hint."},
    {errc::payload_too_large, "PAYLOAD_TOO_LARGE", 1, 413,
     "The serialised execution is longer than 64000 bytes, or cannot reach the device whole."},
    {errc::no_devices, "NO_DEVICES", 1, 404, "No device is ready."},
    {errc::device_not_found, "DEVICE_NOT_FOUND", 1, 404,
     "The asked device is absent or not ready. `details.connected` lists those that are."},
    {errc::multiple_devices_device_id_required, "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED", 1, 400,
     "Several devices are ready: name one with `--device`. `details.devices` lists them."},
    {errc::operator_not_installed, "OPERATOR_NOT_INSTALLED", 1, 500,
     "Neither the asked Operator package nor its alternate is on the device. "
     "`details.installCommand` installs it."},
    {errc::operator_variant_mismatch, "OPERATOR_VARIANT_MISMATCH", 1, 500,
     "Only the other variant (release or debug) of the Operator is installed."},
    {errc::operator_ambiguous, "OPERATOR_AMBIGUOUS", 1, 409,
     "Operator apps of both families are installed and none was named; nothing was dispatched. "
     "`details.packages` names them, `--operator-package` decides."},
    {errc::operator_feature_missing, "OPERATOR_FEATURE_MISSING", 1, 501,
     "The installed Operator app is too old for a step and would ignore or drop it; nothing was "
     "dispatched. `details`: feature, needs, operatorVersion, actionId, actionType."},
    {errc::execution_conflict_in_flight, "EXECUTION_CONFLICT_IN_FLIGHT", 1, 423,
     "Another execution holds this device. `details`: deviceId, and of the one that holds it "
     "commandId, holderPid, since (milliseconds since 1970)."},
    {errc::broadcast_failed, "BROADCAST_FAILED", 1, 500,
     "The device refused the command broadcast; the message has its text."},
    {errc::result_envelope_timeout, "RESULT_ENVELOPE_TIMEOUT", 1, 504,
     "No result came within timeoutMs + 5000; the actions may have run."},
    {errc::result_envelope_malformed, "RESULT_ENVELOPE_MALFORMED", 1, 500,
     "The result of this command cannot be read; the actions have run."},
    {errc::result_transport_exited, "RESULT_TRANSPORT_EXITED", 1, 500,
     "The device's log stream ended before the result; the link itself lives."},
    {errc::logcat_unavailable, "LOGCAT_UNAVAILABLE", 1, 500,
     "The device's log stream could not be opened, or ended before it held anything. "
     "`details.dispatchAttempted` says whether the command went out."},
    {errc::link_lost, "LINK_LOST", 1, 500,
     "The transport to the device is gone. After a dispatch `details.dispatchAttempted` is true."},
    {errc::device_shell_unavailable, "DEVICE_SHELL_UNAVAILABLE", 1, 500,
     "A device command that the execution needs first failed. "
     "`details`: applicationId, adbExitCode, stdout, stderr."},
    {errc::device_unauthorized, "DEVICE_UNAUTHORIZED", 1, 500,
     "The device waits for its owner to allow debugging from this computer."},
    {errc::device_offline, "DEVICE_OFFLINE", 1, 500, "The device is known but does not answer."},
    {errc::auth_pairing_failed, "AUTH_PAIRING_FAILED", 1, 401,
     "Pairing failed: the code is wrong or the phone closed its pairing dialog. Nothing was "
     "stored."},
    {errc::usb_no_permission, "ADB_NO_USB_PERMISSIONS", 1, 500,
     "The USB node of the device may not be opened; the message has the udev rule that would allow "
     "it."},
    {errc::usb_busy, "USB_INTERFACE_BUSY", 1, 500,
     "Another process, mostly an adb server, holds the device's USB interface. Nothing was taken."},
    {errc::device_identity_changed, "DEVICE_IDENTITY_CHANGED", 1, 500,
     "Another phone answers where the device was, or one that no longer asks for TLS; nothing was "
     "done there. `details`: deviceId, expected, found, asksForTls."},
    {errc::adb_server_failed, "ADB_SERVER_FAILED", 1, 500,
     "No adb server answers and no other way to a device is known."},
    {errc::adb_not_found, "ADB_NOT_FOUND", 1, 500,
     "`--start-server` found no adb program in ADB_PATH, PATH or the SDK."},
    {errc::snapshot_extraction_failed, "SNAPSHOT_EXTRACTION_FAILED", 1, 500,
     "The UI hierarchy did not arrive as whole XML. Mostly seen as a step's `data.error`."},
    {errc::screenshot_capture_failed, "SCREENSHOT_CAPTURE_FAILED", 1, 500,
     "The captured picture is not a whole image. Mostly seen as a step's `data.error`."},
    {errc::stale_ref, "STALE_REF", 1, 409,
     "The node that the ref stands for is not there any more, or another phone has shown it; "
     "nothing "
     "was done. `details` has `ref`, `shownIn`, and `front` or `shownBy`. Take a new snapshot."},
    {errc::missing_argument, "MISSING_ARGUMENT", 1, 400, "A command lacks an argument."},
    {errc::missing_selector, "MISSING_SELECTOR", 1, 400,
     "A command lacks the selector that says which node is meant."},
    {errc::unknown_command, "UNKNOWN_COMMAND", 1, 404,
     "No such command. `suggestion` names the nearest one."},
    {errc::usage, "USAGE", 1, 400, "The command line does not parse."},
    {errc::not_implemented, "NOT_IMPLEMENTED", 1, 501, "Known, and left out on purpose."},
    {errc::file_unreadable, "FILE_UNREADABLE", 1, 400, "A named file cannot be read."},
    {errc::file_write_failed, "FILE_WRITE_FAILED", 1, 500, "An output file cannot be written."},
    {errc::cli_version_invalid, "CLI_VERSION_INVALID", 1, 500,
     "The program's own version cannot be compared."},
    {errc::apk_version_unreadable, "APK_VERSION_UNREADABLE", 1, 500,
     "The device does not tell the Operator's version."},
    {errc::apk_version_invalid, "APK_VERSION_INVALID", 1, 500,
     "The Operator's version cannot be compared."},
    {errc::version_incompatible, "VERSION_INCOMPATIBLE", 1, 500,
     "The installed Operator app is older than the oldest one that works with this program."},
    {errc::operator_apk_not_found, "OPERATOR_APK_NOT_FOUND", 1, 400,
     "The named Operator package file is not there; nothing was sent to the device."},
    {errc::operator_install_failed, "OPERATOR_INSTALL_FAILED", 1, 500,
     "The device did not install the package. `install` has its words; no permission was touched."},
    {errc::operator_grant_failed, "OPERATOR_GRANT_FAILED", 1, 500,
     "The package is installed, but not every permission was granted. `permissions` says which."},
    {errc::operator_verify_failed, "OPERATOR_VERIFY_FAILED", 1, 500,
     "The package is not found after its installation, or it is not clear which variant is meant."},
    {errc::grant_device_permissions_failed, "GRANT_DEVICE_PERMISSIONS_FAILED", 1, 500,
     "Not every permission was granted. `accessibility`, `notification`, `notificationListener` "
     "say which."},
    {errc::operator_metadata_invalid, "OPERATOR_METADATA_INVALID", 1, 500,
     "The release metadata cannot be read; nothing was downloaded."},
    {errc::operator_download_failed, "OPERATOR_DOWNLOAD_FAILED", 1, 500,
     "A download failed; `details.url` names it. What arrived is kept for the next try."},
    {errc::operator_checksum_failed, "OPERATOR_CHECKSUM_FAILED", 1, 500,
     "The downloaded package does not have the published checksum and was removed."},
    {errc::operator_signer_changed, "OPERATOR_SIGNER_CHANGED", 1, 409,
     "The package is signed by another signer than before, or by none that can be read; nothing "
     "was "
     "installed, no file replaced. `details`: package, expected, found."},
    {errc::host_dependency_missing, "HOST_DEPENDENCY_MISSING", 1, 500,
     "A program of this computer that a step needs is not there."},
    {errc::adb_keys_unusable, "ADB_KEYS_UNUSABLE", 1, 500,
     "The key that identifies this computer to phones cannot be read or created."},
    {errc::device_dev_options_disabled, "DEVICE_DEV_OPTIONS_DISABLED", 1, 500,
     "Developer options are off on the device."},
    {errc::device_usb_debugging_disabled, "DEVICE_USB_DEBUGGING_DISABLED", 1, 500,
     "USB debugging is off on the device."},
    {errc::device_accessibility_not_running, "DEVICE_ACCESSIBILITY_NOT_RUNNING", 1, 500,
     "The Operator answers, but its accessibility service is not running."},
    {errc::android_build_failed, "ANDROID_BUILD_FAILED", 1, 500,
     "The Gradle build of the Operator failed."},
    {errc::android_install_failed, "ANDROID_INSTALL_FAILED", 1, 500,
     "The built Operator could not be installed."},
    {errc::android_app_launch_failed, "ANDROID_APP_LAUNCH_FAILED", 1, 500,
     "An app could not be launched, or is not installed."},
    {errc::smoke_open_settings_failed, "SMOKE_OPEN_SETTINGS_FAILED", 1, 500,
     "The smoke test (close, open and read Settings) failed."},
    {errc::recording_session_not_found, "RECORDING_SESSION_NOT_FOUND", 1, 404,
     "No such recording on the device."},
    {errc::recording_pull_failed, "RECORDING_PULL_FAILED", 1, 500,
     "The recording could not be copied from the device."},
    {errc::recording_parse_failed, "RECORDING_PARSE_FAILED", 1, 400,
     "The recording breaks its format; the message names the line."},
    {errc::recording_schema_version_unsupported, "RECORDING_SCHEMA_VERSION_UNSUPPORTED", 1, 400,
     "The recording has a schema version other than 1."},
    {errc::recording_export_failed, "RECORDING_EXPORT_FAILED", 1, 500,
     "The recording could not be exported."},
    {errc::crash_log_unavailable, "CRASH_LOG_UNAVAILABLE", 1, 500,
     "The Operator's crash log cannot be read on this build; the message says why."},
    {errc::android_sdk_tool_missing, "ANDROID_SDK_TOOL_MISSING", 1, 500,
     "Programs of the Android SDK are missing. `details.missingTools` names them."},
    {errc::android_system_image_install_failed, "ANDROID_SYSTEM_IMAGE_INSTALL_FAILED", 1, 500,
     "sdkmanager could not install the system image."},
    {errc::android_avd_create_failed, "ANDROID_AVD_CREATE_FAILED", 1, 500,
     "avdmanager could not create the virtual device."},
    {errc::emulator_not_found, "EMULATOR_NOT_FOUND", 1, 404, "No virtual device of that name."},
    {errc::emulator_not_running, "EMULATOR_NOT_RUNNING", 1, 404, "The emulator is not running."},
    {errc::emulator_already_running, "EMULATOR_ALREADY_RUNNING", 1, 409,
     "The emulator is running already."},
    {errc::emulator_already_exists, "EMULATOR_ALREADY_EXISTS", 1, 409,
     "There is a virtual device of that name; nothing was changed. `--force` replaces it, with all "
     "that is on it."},
    {errc::emulator_unsupported, "EMULATOR_UNSUPPORTED", 1, 409,
     "The virtual device does not fit. `details.unsupportedReasons` says why."},
    {errc::emulator_start_failed, "EMULATOR_START_FAILED", 1, 500,
     "The emulator ended before it was ready, or could not be started. `details.logFile` has its "
     "output."},
    {errc::emulator_stop_failed, "EMULATOR_STOP_FAILED", 1, 500, "The emulator did not stop."},
    {errc::emulator_delete_failed, "EMULATOR_DELETE_FAILED", 1, 500,
     "avdmanager could not delete the virtual device."},
    {errc::emulator_boot_timeout, "EMULATOR_BOOT_TIMEOUT", 1, 504,
     "The emulator did not register or boot in time; it still runs."},
    {errc::invalid_json, "INVALID_JSON", 1, 400, "The body of a request is no JSON text."},
    {errc::invalid_body, "INVALID_BODY", 1, 400,
     "The body of a request is missing or no JSON object; it counts only with `Content-Type: "
     "application/json`."},
    {errc::missing_execution, "MISSING_EXECUTION", 1, 400, "`POST /execute` lacks `execution`."},
    {errc::invalid_device_id, "INVALID_DEVICE_ID", 1, 400, "`deviceId` of a request is no text."},
    {errc::invalid_operator_package, "INVALID_OPERATOR_PACKAGE", 1, 400,
     "`operatorPackage` of a request is no text, or empty."},
    {errc::invalid_path, "INVALID_PATH", 1, 400, "`path` of a request is no text, or empty."},
    {errc::invalid_query, "INVALID_QUERY", 1, 400,
     "A parameter of a request's query has a value that is not known."},
    {errc::invalid_input, "INVALID_INPUT", 1, 400,
     "The body of an input request breaks its form; the message names the member. Nothing was "
     "sent."},
    {errc::input_text_unsupported, "INPUT_TEXT_UNSUPPORTED", 1, 400,
     "The device's `input text` types printable ASCII alone; nothing was sent. The Operator's "
     "`enter_text` types the rest, and Enter and Tab are keys."},
    {errc::input_failed, "INPUT_FAILED", 1, 500,
     "The device's `input` command said no; the message has its text. `details`: deviceId, "
     "callsDone, calls, adbExitCode, stdout, stderr; of double-tap dispatchAttempted instead of "
     "the calls."},
    {errc::package_not_found, "PACKAGE_NOT_FOUND", 1, 404,
     "The package is not installed for the user in front of the device; nothing was changed."},
    {errc::effect_not_confirmed, "EFFECT_NOT_CONFIRMED", 1, 500,
     "The device took the command, but what was read back afterwards is not what was asked for; "
     "the "
     "message says what it is. `details`: deviceId, and what was read."},
    {errc::link_at_risk, "LINK_AT_RISK", 1, 409,
     "It would cut the very connection that the device is reached by; nothing was sent."},
    {errc::not_found, "NOT_FOUND", 1, 404, "The server has no such route."},
    {errc::method_not_allowed, "METHOD_NOT_ALLOWED", 1, 405,
     "The route is there, but not with this method; the header `Allow` names those that are."},
    {errc::too_many_requests, "TOO_MANY_REQUESTS", 1, 429,
     "As many event streams are open as the server serves."},
    {errc::serve_failed, "SERVE_FAILED", 1, 500,
     "The server cannot start: it cannot listen at its address, or may not write to the folder of "
     "`--files`; the message says why."},
    {errc::internal_error, "INTERNAL_ERROR", 1, 500,
     "A request that only asks could not be answered; the message says what."},
    {errc::registry_read_failed, "REGISTRY_READ_FAILED", 1, 500,
     "The skills registry, or a file that it names, is missing or cannot be read; the message says "
     "which, and what to set or run."},
    {errc::skill_not_found, "SKILL_NOT_FOUND", 1, 404, "The registry has no skill of that id."},
    {errc::skill_script_not_found, "SKILL_SCRIPT_NOT_FOUND", 1, 400,
     "The skill has no script, its script is missing, or the program that runs it (`node`) is."},
    {errc::skill_validation_failed, "SKILL_VALIDATION_FAILED", 1, 400,
     "A skill's files, its registry entry or a compiled payload break the rules; nothing was run. "
     "`details`: skillJsonPath, missingFields, missingFiles, mismatchFields, artifact, reason."},
    {errc::skill_execution_failed, "SKILL_EXECUTION_FAILED", 1, 400,
     "The skill's script ended with an error, or could not be started: skillId, exitCode, stdout, "
     "stderr, skillResult."},
    {errc::skill_execution_timeout, "SKILL_EXECUTION_TIMEOUT", 1, 400,
     "The skill's script was stopped at the time limit; what it had begun on the device may have "
     "been done. stdout and stderr hold what it had printed."},
    {errc::skill_output_assertion_failed, "SKILL_OUTPUT_ASSERTION_FAILED", 1, 400,
     "The script ended well, but its output lacks the text that `--expect-contains` names."},
    {errc::skill_result_parse_failed, "SKILL_RESULT_PARSE_FAILED", 1, 400,
     "The script's SkillResult frame breaks the rules; the message names the first."},
    {errc::skill_verification_indeterminate, "SKILL_VERIFICATION_INDETERMINATE", 1, 200,
     "The script ended well, but did not prove what its skill.json declares. `status` is "
     "`indeterminate`."},
    {errc::skill_agent_cli_unavailable, "SKILL_AGENT_CLI_UNAVAILABLE", 1, 400,
     "The agent program that the skill declares is not there; nothing was run."},
    {errc::device_not_interactive, "DEVICE_NOT_INTERACTIVE", 1, 409,
     "The device's screen is off or locked; nothing was run. `details`: deviceId, awake, locked."},
    {errc::artifact_not_found, "ARTIFACT_NOT_FOUND", 1, 404,
     "The skill has no artifact of that name. `details`: skillId, artifactName."},
    {errc::compile_vars_parse_failed, "COMPILE_VARS_PARSE_FAILED", 1, 400,
     "`--vars` is no JSON object. `details.varsJson` is what was given."},
    {errc::compile_var_missing, "COMPILE_VAR_MISSING", 1, 400,
     "The artifact has a placeholder without a value. `details`: placeholder, skillId, "
     "artifactName."},
    {errc::compile_validation_failed, "COMPILE_VALIDATION_FAILED", 1, 400,
     "The compiled artifact is no valid execution. `details`: skillId, artifactName."},
    {errc::skill_id_invalid, "SKILL_ID_INVALID", 1, 400,
     "An id for a new skill is an app's package, a dot and an intent; nothing was written."},
    {errc::skill_already_exists, "SKILL_ALREADY_EXISTS", 1, 409,
     "The registry or its folder has a skill of that id; nothing was written."},
    {errc::skills_scaffold_failed, "SKILLS_SCAFFOLD_FAILED", 1, 500,
     "A new skill's files could not be written; what was begun was taken back."},
    {errc::skills_index_stale, "SKILLS_INDEX_STALE", 1, 409,
     "The registry breaks its schema, or the generated indexes are not those of the registry. "
     "`details.problems` lists what was found."},
    {errc::skills_sync_failed, "SKILLS_SYNC_FAILED", 1, 500,
     "The skills could not be fetched or brought up to date; the message says why. The checkout "
     "is as it was. `details.conflicts` names files with local changes that would be overwritten."},
    {errc::skills_git_not_found, "SKILLS_GIT_NOT_FOUND", 1, 500,
     "Never told: git is a library here. The code was published."},
    {errc::invalid_args, "INVALID_ARGS", 1, 400, "`args` of a request is no array."},
    {errc::invalid_timeout_ms, "INVALID_TIMEOUT_MS", 1, 400,
     "`timeoutMs` of a request is no positive whole number."},
    {errc::invalid_expect_contains, "INVALID_EXPECT_CONTAINS", 1, 400,
     "`expectContains` of a request is no text."},
    {errc::agent_config_invalid, "AGENT_CONFIG_INVALID", 1, 500,
     "The agent's configuration is not what its schema wants; nothing was done. `details`: path "
     "(of the file), problems."},
    {errc::agent_skill_not_found, "AGENT_SKILL_NOT_FOUND", 1, 404,
     "There is no agent skill, or no installer of one, of that name."},
    {errc::agent_skill_invalid, "AGENT_SKILL_INVALID", 1, 400,
     "A SKILL.md breaks the rules of AgentSkills. `details.problems` lists what was found."},
    {errc::agent_install_failed, "AGENT_INSTALL_FAILED", 1, 503,
     "What a skill needs could not be installed. `details`: stdout, stderr, code."},
    {errc::archive_refused, "ARCHIVE_REFUSED", 1, 400,
     "An archive is damaged, too large, leads out of its folder or has a `.git`; nothing was "
     "unpacked."},
    {errc::hub_request_failed, "HUB_REQUEST_FAILED", 1, 502,
     "The hub did not answer as it should; the message has its text. `details.status` is its HTTP "
     "status."},
    {errc::hub_skill_not_found, "HUB_SKILL_NOT_FOUND", 1, 404,
     "The hub, or the lock file, has no skill or version of that name."},
    {errc::hub_not_logged_in, "HUB_NOT_LOGGED_IN", 1, 401,
     "The hub wants to know who asks: `clawperator hub login`."},
    {errc::hub_local_changes, "HUB_LOCAL_CHANGES", 1, 409,
     "What is there would be overwritten: a folder of that name, or files that were changed. "
     "`--force` does so."},
    {errc::hub_skill_flagged, "HUB_SKILL_FLAGGED", 1, 403,
     "The hub marks the skill; nothing was changed. `details.moderation` is `malware`, which is "
     "never installed, or `suspicious`, which `--force` installs."},
    {errc::node_not_found, "NODE_NOT_FOUND", 1, 404,
     "No node matches, or fewer than `--nth` wants; nothing was done. `details`: matches, "
     "foreground, dialog, near. A device writes it, too: read_text in a container, "
     "read_key_value_pair."},
    {errc::node_ambiguous, "NODE_AMBIGUOUS", 1, 409,
     "Several nodes match where one alone may (`strict`, and MCP's tools that act); nothing was "
     "done. `matches`, and `candidates` with their refs. A device writes it, too."},
    {errc::off_screen, "OFF_SCREEN", 1, 404,
     "A point lies outside of the screen, or none of a node can be seen on it; nothing was sent "
     "there. `details` of a point: x, y, width, height, actionId."},
    {errc::input_not_focused, "INPUT_NOT_FOCUSED", 1, 409,
     "The field did not take the focus when it was tapped; no key was sent. Written by the shell "
     "backend."},
    {errc::file_not_allowed, "FILE_NOT_ALLOWED", 1, 403,
     "A client of `serve` names a file, but `--files FOLDER` was not given, or the file does not "
     "lie "
     "below it, lies behind a link, or is there and was not written by this server; nothing was "
     "done."},
    {errc::runtime_folder_unusable, "RUNTIME_FOLDER_UNUSABLE", 1, 500,
     "No folder for the locks of devices and the daemon's socket is this user's alone; the message "
     "names the folder and its owner, `hint` says what to do. Nothing was sent."},
    {errc::unknown, "UNKNOWN", 1, 500,
     "A failure without a code of its own: a defect, please report."},
});

constexpr std::size_t rows_of(Errc first, Errc last) {
  std::size_t rows = 0;
  for (auto code = static_cast<int>(first); code <= static_cast<int>(last); ++code) {
    if (std::ranges::count(kErrors, Errc(code), &ErrorRow::code) != 1) return 0;
    ++rows;
  }
  return rows;
}
constexpr std::size_t kRows = rows_of(errc::cancelled, errc::file_write_failed) +
                              rows_of(errc::device_not_found, errc::adb_keys_unusable) +
                              rows_of(errc::execution_validation_failed, errc::unknown);
static_assert(kRows == kErrors.size() && kErrors.back().code == errc::unknown, "one row per code");

}  // namespace

std::span<const ErrorRow> error_table() { return kErrors; }

const ErrorRow& error_row(Errc code) {
  const auto row = std::ranges::find(kErrors, code, &ErrorRow::code);
  return row == kErrors.end() ? kErrors.back() : *row;
}

std::string to_json(const Error& error) {
  JsonObject object;
  object.text("code", error_row(error.code()).published).text("message", error.message());
  std::string out = object.str();
  const std::string& members = error.members();
  if (members.size() > 2) out.replace(out.size() - 1, 1, "," + members.substr(1));
  return out;
}

}  // namespace clawperator
