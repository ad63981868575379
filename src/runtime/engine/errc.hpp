#pragma once
// Why an execution did not run, or how it failed.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode operator_not_installed{
    "OPERATOR_NOT_INSTALLED", 500,
    "Neither the requested Operator package nor its alternate is on the device. "
    "`details.installCommand` installs it."};
inline constexpr ErrorCode operator_variant_mismatch{
    "OPERATOR_VARIANT_MISMATCH", 500,
    "Only the other variant (release or debug) of the Operator is installed."};
inline constexpr ErrorCode operator_ambiguous{
    "OPERATOR_AMBIGUOUS", 409,
    "Operator apps of both families are installed and none was named; nothing was dispatched. "
    "`details.packages` names them, `--operator-package` decides."};
inline constexpr ErrorCode operator_feature_missing{
    "OPERATOR_FEATURE_MISSING", 501,
    "The installed Operator app is too old for a step and would ignore or drop it; nothing was "
    "dispatched. `details`: feature, needs, operatorVersion, actionId, actionType."};
inline constexpr ErrorCode broadcast_failed{
    "BROADCAST_FAILED", 500, "The device refused the command broadcast; the message has its text."};
inline constexpr ErrorCode result_envelope_timeout{
    "RESULT_ENVELOPE_TIMEOUT", 504,
    "No result came within timeoutMs + 5000; the actions may have run."};
inline constexpr ErrorCode result_transport_exited{
    "RESULT_TRANSPORT_EXITED", 500,
    "The device's log stream ended before the result; the link itself lives."};
inline constexpr ErrorCode device_shell_unavailable{
    "DEVICE_SHELL_UNAVAILABLE", 500,
    "A device command that the execution needs first failed. `details`: applicationId, "
    "adbExitCode, stdout, stderr."};
inline constexpr ErrorCode android_app_launch_failed{
    "ANDROID_APP_LAUNCH_FAILED", 404, "An app could not be launched, or is not installed."};
inline constexpr ErrorCode invalid_input{
    "INVALID_INPUT", 400,
    "The body of an input request breaks its form; the message names the member. Nothing was "
    "sent."};
inline constexpr ErrorCode input_text_unsupported{
    "INPUT_TEXT_UNSUPPORTED", 400,
    "The device's `input text` types printable ASCII alone; nothing was sent. The Operator's "
    "`enter_text` types the rest, and Enter and Tab are keys."};
inline constexpr ErrorCode input_failed{
    "INPUT_FAILED", 500,
    "The device's `input` command failed; the message has its text. `details`: deviceId, "
    "callsDone, calls, adbExitCode, stdout, stderr; of double-tap dispatchAttempted instead of "
    "the calls."};
inline constexpr ErrorCode node_not_found{
    "NODE_NOT_FOUND", 404,
    "No node matches, or fewer than `--nth` wants; nothing was done. `details`: matches, "
    "foreground, dialog, near. A device writes it, too: read_text in a container, "
    "read_key_value_pair."};
inline constexpr ErrorCode node_ambiguous{
    "NODE_AMBIGUOUS", 409,
    "Several nodes match where one alone may (`strict`, and MCP's tools that act); nothing was "
    "done. `matches`, and `candidates` with their refs. A device writes it, too."};
inline constexpr ErrorCode off_screen{
    "OFF_SCREEN", 404,
    "A point lies outside of the screen, or none of a node can be seen on it; nothing was sent "
    "there. `details` of a point: x, y, width, height, actionId."};
inline constexpr ErrorCode input_not_focused{
    "INPUT_NOT_FOCUSED", 409,
    "The field did not take the focus when it was tapped; no key was sent. Written by the "
    "shell backend."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kEngineErrors[] = {&errc::operator_not_installed,
                                                     &errc::operator_variant_mismatch,
                                                     &errc::operator_ambiguous,
                                                     &errc::operator_feature_missing,
                                                     &errc::broadcast_failed,
                                                     &errc::result_envelope_timeout,
                                                     &errc::result_transport_exited,
                                                     &errc::device_shell_unavailable,
                                                     &errc::android_app_launch_failed,
                                                     &errc::invalid_input,
                                                     &errc::input_text_unsupported,
                                                     &errc::input_failed,
                                                     &errc::node_not_found,
                                                     &errc::node_ambiguous,
                                                     &errc::off_screen,
                                                     &errc::input_not_focused};

}  // namespace clawperator
