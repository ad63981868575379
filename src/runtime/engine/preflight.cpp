#include "runtime/engine/preflight.hpp"

#include <algorithm>
#include <tuple>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/operator_package.hpp"

namespace clawperator {

namespace {

constexpr auto kCommandLimit = std::chrono::seconds(10);
constexpr auto kAllStopsLimit = std::chrono::seconds(30);

Error not_installed(const std::string& package, const std::string& device_id,
                    const std::string& detail) {
  const std::string command = setup_command(package, device_id);
  ErrorMembers details;
  details.text("checkId", "readiness.apk.presence");
  details.text("summary", "Operator package " + package + " is not installed.");
  details.text("detail", detail);
  details.text("installCommand", command);
  return {errc::operator_not_installed,
          "Operator package " + package + " is not installed on " + device_id +
              ". Install it with: " + command,
          ErrorMembers().text("hint", shell_backend_hint()).object("details", details).str()};
}

// The package manager cannot be asked. What it says tells a person more than we can guess.
Error unknown_whether_installed(const std::string& package, const std::string& device_id,
                                const Error& why) {
  ErrorMembers details;
  details.text("checkId", "readiness.apk.presence");
  details.text("summary", "Whether Operator package " + package + " is installed is not known.");
  details.text("detail", why.message());
  details.text("installCommand", setup_command(package, device_id));
  return {errc::operator_not_installed,
          "Cannot tell whether Operator package " + package + " is installed on " + device_id +
              ": " + why.message(),
          ErrorMembers().object("details", details).str()};
}

}  // namespace

Error closed_shell(const std::string& operator_package, const std::string& device_id,
                   const Error& why) {
  return {errc::device_shell_unavailable, device_id + " refuses to run commands: " + why.message(),
          ErrorMembers().text("hint", closed_shell_hint(operator_package, device_id)).str()};
}

std::string package_filter(const std::string& operator_package) {
  const std::string alternate = alternate_variant(operator_package);
  return alternate.size() < operator_package.size() ? alternate : operator_package;
}

PackageCheck find_packages(std::string_view listing, const std::string& operator_package) {
  const std::string alternate = alternate_variant(operator_package);
  PackageCheck check;
  while (!listing.empty()) {
    std::string_view line = take_line(&listing);
    constexpr std::string_view kPrefix = "package:";
    if (!line.starts_with(kPrefix)) continue;
    line.remove_prefix(kPrefix.size());
    check.installed |= line == operator_package;
    check.alternate_installed |= line == alternate;
  }
  return check;
}

int user_told(std::string_view printed) {
  return std::max(0, whole_number<int>(trimmed(printed)).value_or(0));
}

// Asking is what proves a rung for the activity service, too.
Task<int> front_user(CommandChannel* channel) {
  const auto output =
      co_await channel->probe(AndroidService::activity, current_user_words(), kCommandLimit);
  if (!output && output.error().code() == errc::device_shell_unavailable) co_return 0;
  if (!output) co_return std::unexpected(output.error());
  co_return user_told(output->out);
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

Task<PackageCheck> find_for_user(CommandChannel* channel, int user, std::string operator_package) {
  CO_TRY(const auto output,
         co_await channel->probe(AndroidService::package,
                                 list_packages_words(user, package_filter(operator_package)),
                                 kCommandLimit));
  co_return find_packages(output.out, operator_package);
}

}  // namespace

// Nearly always user 0 is in front and has the app. Who is in front is asked beside that question
// as long as no way to the activity service is proved, and where user 0 lacks the app: the
// broadcast goes to the user in front.
Task<PackageCheck> find_operator(CommandChannel* channel, std::string operator_package) {
  using namespace adbproto::parallel;
  Result<int> user = 0;
  Result<PackageCheck> found;
  const bool proved = channel->rungs().of(AndroidService::activity).has_value();
  if (proved) {
    found = co_await find_for_user(channel, 0, operator_package);
  } else {
    std::tie(found, user) =
        co_await (find_for_user(channel, 0, operator_package) && front_user(channel));
  }
  if (!found) co_return found;
  if (proved && !found->installed) user = co_await front_user(channel);
  if (!user) co_return std::unexpected(user.error());
  if (*user != 0) co_return co_await find_for_user(channel, *user, operator_package);
  co_return found;
}

Result<std::vector<std::string>> judge_operator(const Result<PackageCheck>& found,
                                                const CommandChannel& channel,
                                                const std::string& operator_package,
                                                const std::string& device_id) {
  const std::string alternate = alternate_variant(operator_package);
  if (!found && found.error().code() == errc::device_shell_unavailable) {
    const auto told = channel.has_run() ? unknown_whether_installed : closed_shell;
    return std::unexpected(told(operator_package, device_id, found.error()));
  }
  if (!found) return std::unexpected(found.error());
  std::vector<std::string> warnings;
  if (!found->installed && !found->alternate_installed) {
    return std::unexpected(not_installed(
        operator_package, device_id,
        "Neither " + operator_package + " nor " + alternate + " is among the installed packages."));
  }
  if (!found->installed) {
    warnings.push_back("readiness.apk.presence Wrong Operator variant installed. - Expected " +
                       operator_package + " but found " + alternate + ".");
  }
  return warnings;
}

namespace {

bool says_nothing_about_the_app(Errc code) {
  return code == errc::link_lost || code == errc::cancelled;
}

}  // namespace

Task<bool> is_absent(CommandChannel* channel, std::string app) {
  const auto found = co_await find_for_user(channel, 0, app);
  if (!found && says_nothing_about_the_app(found.error().code())) {
    co_return std::unexpected(found.error());
  }
  if (!found || found->installed) co_return false;
  CO_TRY(const int user, co_await front_user(channel));
  if (user == 0) co_return true;
  const auto of_user = co_await find_for_user(channel, user, app);
  co_return of_user && !of_user->installed;
}

Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution) {
  const auto give_up = Clock::now() + kAllStopsLimit;
  for (const Action& action : execution->actions) {
    if (action.type != ActionType::close_app || !action.application_id) continue;
    const std::string& app = *action.application_id;
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
