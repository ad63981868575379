#pragma once
// What must hold before anything is dispatched: the Operator package is installed, and the apps
// that the execution closes are stopped.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/execution.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

inline constexpr std::string_view kReleaseOperatorPackage = "com.clawperator.operator";

// "x.dev" for "x", "x" for "x.dev".
std::string alternate_variant(const std::string& operator_package);

// `text` as one word of a command that a person may copy into a shell: quoted where it needs to be.
std::string shell_word(const std::string& text);
// ` --device X --operator-package P` for such a command, as far as they need to be said.
std::string target_flags(const std::string& operator_package, const std::string& device_id);

// `clawperator operator setup --apk ... --device X`, as a person would type it. `device_id` may be
// empty: then the device is left out.
std::string setup_command(const std::string& operator_package, const std::string& device_id);
// Where the app's package lies after `operator download`, with a leading `~`.
std::string default_apk_path(std::string_view operator_package);

// What `pm list packages` is asked for to find both variants: it tests for a part of the name.
std::string package_filter(const std::string& operator_package);

struct PackageCheck {
  bool installed = false;
  bool alternate_installed = false;
};

// Finds both variants in the lines `package:NAME` that `pm list packages` prints.
PackageCheck find_packages(std::string_view listing, const std::string& operator_package);

// Asks the device; chooses the channel's rung on the way. operator_not_installed when neither
// variant is there. Returns warnings for stderr (the other variant is installed).
Task<std::vector<std::string>> check_operator(CommandChannel* channel, std::string operator_package,
                                              std::string device_id);

// The number that the question for the user in front prints; 0, the owner, for anything else.
int user_told(std::string_view printed);
// The number of the user in front; 0 where the phone does not say.
Task<int> front_user(CommandChannel* channel);

// Does the device say plainly that it has no such app? False whenever it says anything else. Fails
// with link errors only.
Task<bool> is_absent(CommandChannel* channel, std::string app);

// `am force-stop` for every close_app action, in order. device_shell_unavailable when one fails;
// nothing was dispatched then.
Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution);

}  // namespace clawperator
