#pragma once
// What must hold for an execution: the Operator package is installed, and the apps that it closes
// are stopped.

#include "runtime/contract/execution.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// What `pm list packages` is asked for to find both variants: it tests for a part of the name.
std::string package_filter(const std::string& operator_package);

struct PackageCheck {
  bool installed = false;
  bool alternate_installed = false;
};

// Finds both variants in the lines `package:NAME` that `pm list packages` prints.
PackageCheck find_packages(std::string_view listing, const std::string& operator_package);

// Asks the device; chooses the channel's rung on the way.
Task<PackageCheck> find_operator(CommandChannel* channel, std::string operator_package);

// What was found, for people: warnings for stderr (only the other variant is installed), or
// operator_not_installed when neither is there or the package manager cannot be asked, or
// device_shell_unavailable where no command has ever run.
Result<std::vector<std::string>> judge_operator(const Result<PackageCheck>& found,
                                                const CommandChannel& channel,
                                                const std::string& operator_package,
                                                const std::string& device_id);

// Nothing is known of the app, nor ever will be: no command runs there.
Error closed_shell(const std::string& operator_package, const std::string& device_id,
                   const Error& why);

// The number that the question for the user in front prints; 0, the owner, for anything else.
int user_told(std::string_view printed);
// The number of the user in front; 0 where the phone does not say.
Task<int> front_user(CommandChannel* channel);

// Whether the system lists the Operator's accessibility service for the user in front, asked when
// the app says that it is not there. What the device does not tell is unknown.
asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package);

// Does the device say plainly that it has no such app? False whenever it says anything else. Fails
// with link errors only.
Task<bool> is_absent(CommandChannel* channel, std::string app);

// `am force-stop` for every close_app action, in order. device_shell_unavailable when one fails;
// nothing was dispatched then.
Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution);

}  // namespace clawperator
