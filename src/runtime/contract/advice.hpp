#pragma once
// The advice in errors and reports: command lines of this program, and the sentences around them.
// People and agents copy these lines into a shell, so values from outside are quoted.

#include "base/prelude.hpp"

namespace clawperator {

// `text` as one word of such a command: quoted where it needs to be.
std::string shell_word(const std::string& text);
// ` --device X --operator-package P`, without the options that the command does not need.
std::string target_flags(const std::string& operator_package, const std::string& device_id);

// `clawperator operator setup --apk ... --device X`. `device_id` may be empty: then the device is
// left out.
std::string setup_command(const std::string& operator_package, const std::string& device_id);
// The path of the app's package after `operator download`, with a leading `~`.
std::string default_apk_path(std::string_view operator_package);

// Hints of errors, each named after the failure.
std::string absent_app_hint(const std::string& device_id);
std::string closed_shell_hint(const std::string& operator_package, const std::string& device_id);
std::string wrong_variant_hint(const std::string& operator_package, const std::string& device_id);
std::string silent_operator_hint(const std::string& operator_package, const std::string& device_id);
// `others`: ids of the commands that the app had before ours, as far as the log has them.
std::string busy_operator_hint(std::span<const std::string> others);
std::string unfinished_result_hint();
// How to switch the Operator's accessibility service on again.
std::string missing_service_hint(const std::string& operator_package, const std::string& device_id);
// A snapshot without any hierarchy in the log.
std::string missing_hierarchy_hint();

}  // namespace clawperator
