#include "runtime/engine/preflight.hpp"

#include "adbproto/wire/services.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/text_lines.hpp"

namespace clawperator {

using adbproto::Clock;
using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::ok;
using adbproto::Task;

namespace {

constexpr auto kCommandLimit = std::chrono::seconds(10);
constexpr auto kAllStopsLimit = std::chrono::seconds(30);
constexpr std::string_view kDebugSuffix = ".dev";

Error not_installed(const std::string& package, const std::string& device_id,
                    const std::string& detail) {
  const std::string command = setup_command(package, device_id);
  ErrorMembers details;
  details.text("checkId", "readiness.apk.presence");
  details.text("summary", "Operator package " + package + " is not installed.");
  details.text("detail", detail);
  details.text("installCommand", command);
  return {Errc::operator_not_installed,
          "Operator package " + package + " is not installed on " + device_id +
              ". Install it with: " + command,
          ErrorMembers().object("details", details).str()};
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/@%+=,-";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
  return plain ? text : adbproto::quote_for_shell(text);
}

std::string target_flags(const std::string& operator_package, const std::string& device_id) {
  std::string flags;
  if (!device_id.empty()) flags += " --device " + shell_word(device_id);
  if (operator_package != kReleaseOperatorPackage) {
    flags += " --operator-package " + shell_word(operator_package);
  }
  return flags;
}

std::string default_apk_path(std::string_view operator_package) {
  const bool debug = operator_package.ends_with(kDebugSuffix);
  return std::string("~/.clawperator/downloads/") + (debug ? "operator-debug.apk" : "operator.apk");
}

std::string setup_command(const std::string& operator_package, const std::string& device_id) {
  return "clawperator operator setup --apk " + default_apk_path(operator_package) +
         target_flags(operator_package, device_id);
}

std::string alternate_variant(const std::string& operator_package) {
  if (!operator_package.ends_with(kDebugSuffix))
    return operator_package + std::string(kDebugSuffix);
  return operator_package.substr(0, operator_package.size() - kDebugSuffix.size());
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

Task<std::vector<std::string>> check_operator(CommandChannel* channel, std::string operator_package,
                                              std::string device_id) {
  const std::string alternate = alternate_variant(operator_package);
  const std::vector<std::string> arguments{"list", "packages", package_filter(operator_package)};
  auto output = co_await channel->probe(AndroidService::package, arguments, kCommandLimit);
  if (!output && output.error().code() == Errc::device_shell_unavailable) {
    co_return std::unexpected(not_installed(operator_package, device_id, output.error().message()));
  }
  if (!output) co_return std::unexpected(std::move(output).error());
  const PackageCheck check = find_packages(output->out, operator_package);
  std::vector<std::string> warnings;
  if (!check.installed && !check.alternate_installed) {
    co_return std::unexpected(not_installed(
        operator_package, device_id,
        "Neither " + operator_package + " nor " + alternate + " is among the installed packages."));
  }
  if (!check.installed) {
    warnings.push_back("readiness.apk.presence Wrong Operator variant installed. - Expected " +
                       operator_package + " but found " + alternate + ".");
  }
  co_return warnings;
}

namespace {

bool says_nothing_about_the_app(Errc code) {
  return code == Errc::link_lost || code == Errc::cancelled;
}

}  // namespace

Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution) {
  const auto give_up = Clock::now() + kAllStopsLimit;
  for (const Action& action : execution->actions) {
    if (action.type != ActionType::close_app || !action.application_id) continue;
    const std::string& app = *action.application_id;
    const std::vector<std::string> arguments{"force-stop", app};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(give_up - Clock::now());
    const auto output = co_await channel->run(AndroidService::activity, arguments, left);
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
    co_return fail(Errc::device_shell_unavailable, "Could not force-stop " + app + ": " + why,
                   ErrorMembers().object("details", details).str());
  }
  co_return ok();
}

}  // namespace clawperator
