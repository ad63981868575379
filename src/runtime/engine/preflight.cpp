#include "runtime/engine/preflight.hpp"

#include <algorithm>
#include <tuple>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

namespace {

// Android 7 starts a Java process for `am` and `pm`, about a second; a busy phone takes several.
constexpr auto kCommandLimit = std::chrono::seconds(10);
// Of all stops of a plan together: a stuck phone must not add kMaxActions long waits.
constexpr auto kAllStopsLimit = std::chrono::seconds(30);

Error not_installed(const std::string& package, const std::string& device_id,
                    const std::string& detail) {
  const std::string command = setup_command(package, device_id);
  ErrorMembers details;
  details.text("checkId", "readiness.apk.presence");
  details.text("summary", "Operator package " + package + " is not installed.");
  details.text("detail", detail);
  details.text("installCommand", command);
  return {
      errc::operator_not_installed,
      "Operator package " + package + " is not installed on " + device_id +
          ". Install it with: " + command,
      ErrorMembers().text("hint", hints::shell_backend.with()).object("details", details).str()};
}

// The package manager cannot be queried. Its own output helps a person more than a guess.
Error unknown_whether_installed(const std::string& package, const std::string& device_id,
                                const Error& why) {
  ErrorMembers details;
  details.text("checkId", "readiness.apk.presence");
  details.text("summary", "Whether Operator package " + package + " is installed is not known.");
  details.text("detail", why.message());
  details.text("installCommand", setup_command(package, device_id));
  return {errc::operator_not_installed,
          "Cannot find out whether Operator package " + package + " is installed on " + device_id +
              ": " + why.message(),
          ErrorMembers().object("details", details).str()};
}

}  // namespace

Error closed_shell(const std::string& operator_package, const std::string& device_id,
                   const Error& why) {
  return {errc::device_shell_unavailable, device_id + " refuses to run commands: " + why.message(),
          ErrorMembers().text("hint", closed_shell_hint(operator_package, device_id)).str()};
}

FoundApps read_packages(std::string_view listing) {
  constexpr std::string_view kPrefix = "package:";
  constexpr std::string_view kCode = " versionCode:";
  FoundApps apps;
  while (!listing.empty()) {
    std::string_view line = take_line(&listing);
    if (!line.starts_with(kPrefix)) continue;
    line.remove_prefix(kPrefix.size());
    const std::string_view name = line.substr(0, line.find(kCode));
    line.remove_prefix(name.size());
    if (!line.empty()) line.remove_prefix(kCode.size());
    const auto code = whole_number<std::int64_t>(line);
    apps.push_back({std::string(name), code ? version_of_code(*code) : std::nullopt});
  }
  return apps;
}

namespace {

const FoundApp* app_of(const FoundApps& apps, std::string_view package) {
  const auto at = std::ranges::find(apps, package, &FoundApp::package);
  return at == apps.end() ? nullptr : &*at;
}

PackageCheck check_of(const FoundApps& apps, const std::string& package) {
  PackageCheck check{.package = package};
  if (const FoundApp* app = app_of(apps, package)) {
    check.installed = true;
    check.version = app->version;
  }
  check.alternate_installed = app_of(apps, alternate_variant(package)) != nullptr;
  return check;
}

}  // namespace

PackageCheck choose_operator(const FoundApps& apps, const NamedOperator& wanted) {
  if (wanted) return check_of(apps, *wanted);
  std::vector<PackageCheck> releases;
  std::optional<PackageCheck> variant;
  for (const OperatorFamily& family : operator_families()) {
    PackageCheck check = check_of(apps, std::string(family.package));
    if (check.installed) {
      releases.push_back(std::move(check));
    } else if (check.alternate_installed && !variant) {
      variant = std::move(check);
    }
  }
  if (releases.empty())
    return variant.value_or(check_of(apps, std::string(kReleaseOperatorPackage)));
  PackageCheck chosen = releases.front();
  if (releases.size() > 1) {
    for (const PackageCheck& check : releases) chosen.rivals.push_back(check.package);
  }
  return chosen;
}

PackageCheck find_packages(std::string_view listing, const NamedOperator& wanted) {
  return choose_operator(read_packages(listing), wanted);
}

Error ambiguous_operator(const std::vector<std::string>& packages, const std::string& device_id) {
  std::string names;
  for (const std::string& package : packages) names += (names.empty() ? "" : " and ") + package;
  const std::string& newest = packages.back();
  return {errc::operator_ambiguous,
          names + " are both installed on " + device_id + ": " + hints::one_of_two_apps.with(),
          hint_and_details(hints::which_app.with({target_flags(newest, device_id)}),
                           ErrorMembers().strings("packages", packages))};
}

int parse_front_user(std::string_view printed) {
  return std::max(0, whole_number<int>(trimmed(printed)).value_or(0));
}

// This query also proves a rung for the activity service.
Task<int> front_user(CommandChannel* channel) {
  const auto output =
      co_await channel->probe(AndroidService::activity, current_user_words(), kCommandLimit);
  if (!output && output.error().code() == errc::device_shell_unavailable) co_return 0;
  if (!output) co_return std::unexpected(output.error());
  co_return parse_front_user(output->out);
}

asio::awaitable<ServiceListing> ask_service_listing(CommandChannel* channel,
                                                    std::string operator_package) {
  const auto user = co_await front_user(channel);
  if (!user) co_return ServiceListing::unknown;
  const auto printed = co_await channel->probe(
      AndroidService::settings,
      read_setting_words(*user, {"secure", std::string(kAccessibilityList)}), kCommandLimit);
  co_return printed ? service_listing(printed->out, operator_package) : ServiceListing::unknown;
}

namespace {

Task<FoundApps> list_for_user(CommandChannel* channel, Words words) {
  CO_TRY(const auto output,
         co_await channel->probe(AndroidService::package, std::move(words), kCommandLimit));
  co_return read_packages(output.out);
}

constexpr int kListsVersions = 26;  // Android 8

bool knows_no_versions(const Error& error) {
  return error.code() == errc::device_shell_unavailable &&
         error.message().contains("Unknown option");
}

Task<FoundApps> find_for_user(CommandChannel* channel, int user, std::string filter, int sdk) {
  if (sdk == 0 || sdk >= kListsVersions) {
    auto found = co_await list_for_user(channel, list_versions_words(user, filter));
    if (found || !knows_no_versions(found.error())) co_return found;
  }
  co_return co_await list_for_user(channel, list_packages_words(user, filter));
}

}  // namespace

// Nearly always user 0 is in front and has the app. The user in front is queried beside that while
// no rung of the activity service is proved, and where user 0 lacks the app: the broadcast goes to
// the user in front.
Task<FoundApps> find_operator(CommandChannel* channel, NamedOperator wanted, int sdk) {
  using namespace base::parallel;
  const std::string filter = operator_filter(wanted);
  Result<int> user = 0;
  Result<FoundApps> found;
  const bool proved = channel->rungs().of(AndroidService::activity).has_value();
  if (proved) {
    found = co_await find_for_user(channel, 0, filter, sdk);
  } else {
    std::tie(found, user) =
        co_await (find_for_user(channel, 0, filter, sdk) && front_user(channel));
  }
  if (!found) co_return found;
  if (proved && !choose_operator(*found, wanted).installed) user = co_await front_user(channel);
  if (!user) co_return std::unexpected(user.error());
  if (*user != 0) co_return co_await find_for_user(channel, *user, filter, sdk);
  co_return found;
}

asio::awaitable<std::optional<OperatorVersion>> ask_version(adbproto::Device* device,
                                                            std::string package) {
  const auto dump = co_await run_command_line(device, package_state_line(package), kCommandLimit);
  if (!dump) co_return std::nullopt;
  const InstalledVersion installed = parse_installed_version(dump->out);
  co_return installed.name ? parse_version(*installed.name) : std::nullopt;
}

namespace {

std::string names_looked_for(const PackageCheck& check, const NamedOperator& wanted) {
  std::string names = "Neither " + check.package + " nor " + alternate_variant(check.package);
  if (wanted) return names;
  for (const OperatorFamily& family : operator_families()) {
    if (family.package != check.package) names += " nor " + std::string(family.package);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> judge_operator(const Result<FoundApps>& found,
                                                const CommandChannel& channel,
                                                const NamedOperator& wanted,
                                                const std::string& device_id) {
  if (!found && found.error().code() == errc::device_shell_unavailable) {
    const auto error = channel.has_run() ? unknown_whether_installed : closed_shell;
    const std::string package = wanted.value_or(std::string(kReleaseOperatorPackage));
    return std::unexpected(error(package, device_id, found.error()));
  }
  if (!found) return std::unexpected(found.error());
  const PackageCheck check = choose_operator(*found, wanted);
  if (!check.rivals.empty()) return std::unexpected(ambiguous_operator(check.rivals, device_id));
  if (check.installed) return std::vector<std::string>();
  if (!check.alternate_installed) {
    return std::unexpected(
        not_installed(check.package, device_id,
                      names_looked_for(check, wanted) + " is among the installed packages."));
  }
  return std::vector{"readiness.apk.presence Wrong Operator variant installed. - Expected " +
                     check.package + " but found " + alternate_variant(check.package) + "."};
}

namespace {

Error feature_missing(const FeatureUse& use, const std::optional<OperatorVersion>& version) {
  const OperatorFeature& feature = *use.feature;
  const std::string needs = to_string(feature.since);
  const std::string has = version ? to_string(*version) : "";
  ErrorMembers details;
  details.text("feature", feature.name).text("needs", needs);
  if (version) details.text("operatorVersion", has);
  details.text("actionId", use.action->id).text("actionType", action_name(use.action->type()));
  const std::string app =
      version ? "The installed Operator app is " + has
              : "The installed Operator app reports no version that can be compared";
  return {errc::operator_feature_missing,
          app + ", and step " + use.action->id + " (" +
              std::string(action_name(use.action->type())) + ") needs " + needs + " for " +
              std::string(feature.name) + ". Nothing was sent.",
          hint_and_details(std::string(feature.missing) +
                               " Install a newer app: clawperator operator download --latest",
                           details)};
}

std::string ignored_feature(const FeatureUse& use, const OperatorVersion& version) {
  return "step " + use.action->id + " (" + std::string(action_name(use.action->type())) + ") has " +
         std::string(use.feature->name) + ", which needs Operator " +
         to_string(use.feature->since) + "; this is " + to_string(version) + ". " +
         std::string(use.feature->missing);
}

}  // namespace

Result<std::vector<std::string>> judge_features(const std::vector<FeatureUse>& uses,
                                                const std::optional<OperatorVersion>& version) {
  std::vector<std::string> warnings;
  for (const FeatureUse& use : uses) {
    if (version && *version >= use.feature->since) continue;
    if (use.feature->too_old == TooOld::refused) {
      return std::unexpected(feature_missing(use, version));
    }
    if (version) warnings.push_back(ignored_feature(use, *version));
  }
  return warnings;
}

bool needs_version(const std::vector<FeatureUse>& uses) {
  return std::ranges::any_of(
      uses, [](const FeatureUse& use) { return use.feature->too_old == TooOld::refused; });
}

namespace {

bool says_nothing_about_the_app(Errc code) {
  return code == errc::link_lost || code == errc::cancelled;
}

}  // namespace

Task<FoundApps> installed_packages(CommandChannel* channel) {
  CO_TRY(const int user, co_await front_user(channel));
  co_return co_await list_for_user(channel, list_packages_words(user, ""));
}

Task<bool> is_absent(CommandChannel* channel, std::string app) {
  const auto found = co_await list_for_user(channel, list_packages_words(0, app));
  if (!found && says_nothing_about_the_app(found.error().code())) {
    co_return std::unexpected(found.error());
  }
  if (!found || app_of(*found, app)) co_return false;
  CO_TRY(const int user, co_await front_user(channel));
  if (user == 0) co_return true;
  const auto of_user = co_await list_for_user(channel, list_packages_words(user, app));
  co_return of_user && !app_of(*of_user, app);
}

Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution) {
  const auto give_up = Clock::now() + kAllStopsLimit;
  for (const Action& action : execution->actions) {
    const auto* close = action.as<CloseApp>();
    if (!close || !close->application_id) continue;
    const std::string& app = *close->application_id;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(give_up - Clock::now());
    const auto output =
        co_await channel->run(AndroidService::activity, force_stop_words(app), left);
    if (output && output->exit_status == 0) continue;
    if (!output && says_nothing_about_the_app(output.error().code())) {
      co_return std::unexpected(output.error());
    }
    ErrorMembers details;
    details.text("applicationId", app);
    if (output) {
      details.number("adbExitCode", output->exit_status)
          .text("stdout", output->out.substr(0, 4096));
      details.text("stderr", output->err.substr(0, 4096));
    }
    const std::string why = output ? output->text() : output.error().message();
    co_return fail_with(errc::device_shell_unavailable, "Could not force-stop " + app + ": " + why,
                        details);
  }
  co_return ok();
}

}  // namespace clawperator
