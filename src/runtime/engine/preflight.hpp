#pragma once
// What must hold for an execution: the Operator package is installed, and the apps that it closes
// are stopped.

#include "runtime/contract/execution.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

struct FoundApp {
  std::string package{};
  std::optional<OperatorVersion> version{};  // absent: the device did not tell
};
using FoundApps = std::vector<FoundApp>;

// The lines `package:NAME` and `package:NAME versionCode:N` that `pm list packages` prints.
FoundApps read_packages(std::string_view listing);

// Which Operator app is meant: the one that is named, else what is installed decides. Releases go
// before debug variants, which are never chosen: one alone is reported, not used.
struct PackageCheck {
  std::string package{};  // the one that is meant; where none is there, the release of the family
  bool installed = false;
  bool alternate_installed = false;
  std::optional<OperatorVersion> version{};
  std::vector<std::string> rivals{};  // the releases, where there are several and none was named
};
PackageCheck choose_operator(const FoundApps& apps, const NamedOperator& wanted);
PackageCheck find_packages(std::string_view listing, const NamedOperator& wanted);

// Asks the device for all that choose_operator looks for; chooses the channel's rung on the way.
// `sdk`: of the device, 0: not known.
Task<FoundApps> find_operator(CommandChannel* channel, NamedOperator wanted, int sdk = 0);
// The version of a package that find_operator found without one, on a device whose package manager
// does not list them; nullopt where the dump has none either.
asio::awaitable<std::optional<OperatorVersion>> ask_version(adbproto::Device* device,
                                                            std::string package);

// What was found, for people: warnings for stderr (only the other variant is installed), or
// operator_ambiguous, or operator_not_installed when none is there or the package manager cannot be
// asked, or device_shell_unavailable where no command has ever run.
Result<std::vector<std::string>> judge_operator(const Result<FoundApps>& found,
                                                const CommandChannel& channel,
                                                const NamedOperator& wanted,
                                                const std::string& device_id);
Error ambiguous_operator(const std::vector<std::string>& packages, const std::string& device_id);

// What an app of this version makes of the plan: what it ignores without harm, as warnings for
// stderr; operator_feature_missing where it would do something else, or never answer. `version`
// absent: it is unknown, so that nothing is sent that an old app might not know.
Result<std::vector<std::string>> judge_features(const std::vector<FeatureUse>& uses,
                                                const std::optional<OperatorVersion>& version);
// Whether one of them is refused by an app that is too old, so that the version must be known.
bool needs_version(const std::vector<FeatureUse>& uses);

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
