#pragma once
// What must hold for an execution: the Operator package is installed, and the apps that it closes
// are stopped.

#include "runtime/contract/execution.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

struct FoundApp {
  std::string package{};
  std::optional<OperatorVersion> version{};  // absent: the device did not report it
};
using FoundApps = std::vector<FoundApp>;

// The lines `package:NAME` and `package:NAME versionCode:N` that `pm list packages` prints.
FoundApps read_packages(std::string_view listing);

// Which Operator app is meant: the named one, else the installed packages decide. Releases come
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

// Queries everything that choose_operator needs, and chooses the channel's rung with it. `sdk`: of
// the device, 0: not known.
Task<FoundApps> find_operator(CommandChannel* channel, NamedOperator wanted, int sdk = 0);
// The version of a package that find_operator found without one, on a device whose package manager
// does not list them; nullopt where the dump has none either.
asio::awaitable<std::optional<OperatorVersion>> ask_version(adbproto::Device* device,
                                                            std::string package);

// Turns the findings into warnings for stderr (only the other variant is installed), or
// operator_ambiguous; or operator_not_installed when there is none or the package manager cannot be
// queried; or device_shell_unavailable where no command has ever run.
Result<std::vector<std::string>> judge_operator(const Result<FoundApps>& found,
                                                const CommandChannel& channel,
                                                const NamedOperator& wanted,
                                                const std::string& device_id);
Error ambiguous_operator(const std::vector<std::string>& packages, const std::string& device_id);

// What an app of this version does with the plan: features that it ignores without harm become
// warnings for stderr; operator_feature_missing where it would act otherwise, or never answer.
// `version` absent: unknown, so nothing is sent that an old app might not know.
Result<std::vector<std::string>> judge_features(const std::vector<FeatureUse>& uses,
                                                const std::optional<OperatorVersion>& version);
// Whether an old app refuses one of them, so that the version must be known.
bool needs_version(const std::vector<FeatureUse>& uses);

// For a device that runs no command: whether it has the app cannot be found out.
Error closed_shell(const std::string& operator_package, const std::string& device_id,
                   const Error& why);

// The number in the answer to the query for the user in front; 0, the owner, for anything else.
int parse_front_user(std::string_view printed);
// The number of the user in front; 0 where the phone does not report it.
Task<int> front_user(CommandChannel* channel);

// Whether the system lists the Operator's accessibility service for the user in front, queried when
// the app reports that it is missing. Unknown where the device gives no answer.
asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package);

// All packages of the user in front.
Task<FoundApps> installed_packages(CommandChannel* channel);

// Whether the device answers clearly that it has no such app. False for any other answer. Fails
// with link errors only.
Task<bool> is_absent(CommandChannel* channel, std::string app);

// `am force-stop` for every close_app action, in order. device_shell_unavailable when one fails;
// nothing was dispatched then.
Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution);

}  // namespace clawperator
