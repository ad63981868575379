#include "runtime/host/operator/setup.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/file_handle.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/known_signers.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

// `true` takes milliseconds on a live link; a person waits for the verdict.
constexpr auto kLinkLimit = std::chrono::milliseconds(3000);

struct RefusalHint {
  std::string_view word;
  std::string_view hint;
};

// Advice for the device's commonest refusals.
constexpr RefusalHint kRefusalHints[] = {
    {"INSTALL_FAILED_UPDATE_INCOMPATIBLE",
     "The installed app has another signature: remove it, and its data, with `%`."},
    {"INSTALL_FAILED_VERSION_DOWNGRADE",
     "The installed app is newer: take a newer APK, or remove it with `%`."},
    {"INSTALL_FAILED_INSUFFICIENT_STORAGE", "Free some storage on the device."},
    {"INSTALL_FAILED_OLDER_SDK", "This Android is too old for the APK."},
    {"INSTALL_PARSE_FAILED", "The file is no whole APK: download it again and check its checksum."},
};

// `%` in the hint stands for `uninstall`.
std::string hint_for_refusal(std::string_view refusal, const std::string& uninstall) {
  for (const RefusalHint& known : kRefusalHints) {
    if (!refusal.contains(known.word)) continue;
    std::string hint(known.hint);
    if (const auto at = hint.find('%'); at != hint.npos) hint.replace(at, 1, uninstall);
    return hint;
  }
  return {};
}

// The APK's package is unknown before it is installed: the named one, else the release.
std::string uninstall_command(const std::string& serial, const SetupReport& report) {
  const bool named = report.operator_package.find('<') == std::string::npos;
  const std::string package =
      named ? report.operator_package : std::string(kReleaseOperatorPackage);
  return "clawperator adb -s " + shell_word(serial) + " uninstall " + shell_word(package);
}

Error install_failed(InstallPhase* install, std::string text, const std::string& uninstall) {
  const std::string hint = hint_for_refusal(text, uninstall);
  install->error = text;
  return {errc::operator_install_failed, std::move(text),
          hint.empty() ? "" : ErrorMembers().text("hint", hint).str()};
}

// The cause of a failed installation: the device's refusal, or a lost link. A stream that ends
// without a verdict leaves both open, so the device is queried once more.
Task<void> judge_failure(adbproto::Device* device, Error error, SetupReport* report) {
  if (error.code() == errc::cancelled) co_return std::unexpected(std::move(error));
  std::string text = one_message(error.message());
  if (error.code() == errc::file_unreadable) {
    report->dispatched = false;
    report->install.error = text;
    const Errc code =
        report->sent == 0 ? errc::operator_apk_not_found : errc::operator_install_failed;
    co_return fail(code, std::move(text));
  }
  bool lost = names_lost_link(error);
  if (error.code() == errc::refused && !lost) {
    report->dispatched = false;  // it has answered: there is nothing unknown
    report->install.exit_code = 1;
    Error failed = install_failed(&report->install, std::move(text),
                                  uninstall_command(device->serial(), *report));
    co_return std::unexpected(co_await with_vendor_hint(device, std::move(failed)));
  }
  if (!lost) {
    const auto alive = co_await run_on_device(device, alive_line(), kLinkLimit);
    lost = !alive;
  }
  if (!lost) {
    co_return std::unexpected(install_failed(&report->install, std::move(text),
                                             uninstall_command(device->serial(), *report)));
  }
  report->install.error = "the link to the device was lost: " + text;
  co_return fail(errc::link_lost, "The link to the device was lost during the installation.");
}

Task<void> install_package(adbproto::Device* device, const SetupRequest* request,
                           SetupReport* report) {
  adbproto::InstallOptions options;
  options.flags = {"-r"};
  const auto count = [request, report](const adbproto::InstallProgress& at) {
    report->sent = at.done;
    report->dispatched = at.done >= at.total;
    if (request->on_progress) request->on_progress(at);
  };
  const auto verdict =
      co_await adbproto::install(device, {request->apk}, std::move(options), count);
  if (!verdict) co_return co_await judge_failure(device, verdict.error(), report);
  report->dispatched = false;
  report->install = {true, {}, {}};
  co_return ok();
}

struct Choice {
  std::string package{};
  std::string problem{};  // why none can be chosen
  std::string hint{};
};

std::string not_there(const std::string& package) {
  return "Package " + package + " is not on the device after the installation.";
}

Choice choose_wanted(const PackageCheck& check) {
  const std::string& wanted = check.package;
  if (check.installed) return {wanted, {}, {}};
  Choice choice{wanted, not_there(wanted), {}};
  if (check.alternate_installed) {
    const std::string other = alternate_variant(wanted);
    choice.problem += " The device has the other variant: " + other + ".";
    choice.hint = "Pass --operator-package " + other + ", or install the APK of " + wanted + ".";
  }
  return choice;
}

// Of the published packages, the one that is there.
Choice choose_found(const FoundApps& apps) {
  std::vector<std::string> found;
  for (const FoundApp& app : apps) {
    if (is_published_operator(app.package)) found.push_back(app.package);
  }
  if (found.size() == 1) return {found.front(), {}, {}};
  const std::string hint = "Pass --operator-package to name the package.";
  if (found.empty()) {
    return {{}, "Could not detect an Operator package: no variant of it is installed.", hint};
  }
  std::string names;
  for (const std::string& name : found) names += (names.empty() ? "" : ", ") + name;
  return {
      {},
      "Multiple Operator package variants are installed (" + names + "): say which one is meant.",
      hint};
}

Choice choose_package(const std::optional<std::string>& listing,
                      const std::optional<std::string>& wanted) {
  if (!listing) return {{}, std::string(kNoListing), {}};
  const FoundApps apps = read_packages(*listing);
  return wanted ? choose_wanted(choose_operator(apps, wanted)) : choose_found(apps);
}

Error verify_failed(SetupReport* report, Choice choice) {
  report->verification = VerificationPhase{false, false, choice.problem};
  return {errc::operator_verify_failed, std::move(choice.problem),
          choice.hint.empty() ? "" : ErrorMembers().text("hint", choice.hint).str()};
}

Task<void> confirm_package(AndroidServices* services, std::string package,
                           VerificationPhase* phase) {
  const auto listing = co_await services->call(AndroidService::package,
                                               list_packages_words(services->user(), package));
  if (!listing && ends_everything(listing.error())) co_return std::unexpected(listing.error());
  const bool found = listing && find_packages(listing->out, package).installed;
  *phase = {found, found, {}};
  if (!found) phase->error = not_there(package);
  co_return ok();
}

Task<void> grant_and_confirm(AndroidServices* services, PermissionState before,
                             SetupReport* report) {
  using namespace base::parallel;
  GrantReport& grants = report->permissions.emplace();
  const std::string& package = report->operator_package;
  CO_TRY_VOID(co_await write_grants(services, package, std::move(before), &grants));
  VerificationPhase phase;
  const auto [kept, found, dump] = co_await (
      confirm_grants(services, package, &grants) && confirm_package(services, package, &phase) &&
      run_on_device(services->device(), package_state_line(package)));
  CO_TRY_VOID(kept);
  CO_TRY_VOID(found);
  if (dump) report->apk_version = parse_installed_version(dump->out).name;
  if (!grants.ok()) {
    co_return std::unexpected(co_await with_vendor_hint(
        services->device(), {errc::operator_grant_failed, grants.first_error()}));
  }
  report->verification = std::move(phase);
  if (report->verification->ok) co_return ok();
  co_return fail(errc::operator_verify_failed, *report->verification->error);
}

// Android takes no package for another, so one that appeared is the APK's own.
std::string oddity(const std::optional<std::string>& before, const std::string& after,
                   const std::optional<std::string>& wanted) {
  if (!before || !wanted) return {};
  const bool is_new = !find_packages(*before, wanted).alternate_installed &&
                      find_packages(after, wanted).alternate_installed;
  if (!is_new) return {};
  return "The APK is of " + alternate_variant(*wanted) + ", but " + *wanted +
         " was requested: that one got the permissions.";
}

Task<std::optional<std::string>> list_before(AndroidServices* services, std::string package) {
  auto listing = co_await list_matching(services, operator_filter(package));
  if (!listing) co_return std::nullopt;
  co_return std::move(listing->out);
}

std::string_view phase_name(const SetupReport& report) {
  if (report.verification) return "verification";
  if (report.permissions) return "permissions";
  return "install";
}

std::string install_json(const InstallPhase& install) {
  JsonObject json;
  json.boolean("ok", install.ok);
  if (install.error) json.text("error", *install.error);
  if (install.exit_code) json.number("exitCode", *install.exit_code);
  return json.str();
}

void add_phases(JsonObject& json, const SetupReport& report) {
  json.text("operatorPackage", report.operator_package)
      .json("install", install_json(report.install));
  if (report.permissions) {
    JsonObject permissions;
    json.object("permissions", add_grants(permissions, *report.permissions));
  }
  if (const auto& verification = report.verification) {
    JsonObject phase;
    phase.boolean("ok", verification->ok)
        .boolean("packageInstalled", verification->package_installed);
    if (verification->error) phase.text("error", *verification->error);
    json.object("verification", phase);
  }
}

// A refusal surely has changed nothing further; any other failure may have.
bool leaves_doubt(const Error& error) {
  return error.code() == errc::link_lost || error.code() == errc::cancelled ||
         error.code() == errc::deadline_exceeded;
}

// Why this file cannot be sent; empty when it can.
std::string file_problem(const std::string& apk) {
  const auto unreadable = [&] {
    return "APK file cannot be read: " + apk + ": " + std::strerror(errno);
  };
  struct stat status{};
  if (::stat(apk.c_str(), &status) != 0) {
    const bool absent = errno == ENOENT || errno == ENOTDIR;
    return absent ? "APK file not found: " + apk : unreadable();
  }
  if (!S_ISREG(status.st_mode)) return "APK file is no regular file: " + apk;
  if (status.st_size == 0) return "APK file is empty: " + apk;
  const FileHandle file(::open(apk.c_str(), O_RDONLY | O_CLOEXEC));
  return file.is_open() ? std::string() : unreadable();
}

}  // namespace

Task<void> check_apk_file(const SetupRequest* request, SetupReport* report) {
  const auto refused = [&](Error error) {
    report->begun = true;
    report->operator_package = request->operator_package.value_or(report->operator_package);
    report->install.error = error.message();
    return std::unexpected(std::move(error));
  };
  std::string problem = file_problem(request->apk);
  if (!problem.empty()) co_return refused({errc::operator_apk_not_found, std::move(problem)});
  auto met = co_await meet_signers({request->apk, request->apk, request->operator_package,
                                    request->accept_new_signer, request->on_notice});
  if (!met) co_return refused(std::move(met).error());
  co_return ok();
}

Task<void> set_up_operator(adbproto::Device* device, SetupRequest request, SetupReport* report) {
  using namespace base::parallel;
  report->begun = true;
  const auto& wanted = request.operator_package;
  if (wanted) report->operator_package = *wanted;
  const std::string package = wanted.value_or(std::string(kReleaseOperatorPackage));
  AndroidServices services(device);
  const auto [installed, before] =
      co_await (install_package(device, &request, report) && list_before(&services, package));
  CO_TRY_VOID(installed);
  CO_TRY(auto state, co_await read_permission_state(&services, package));
  Choice choice = choose_package(state.packages, wanted);
  if (!choice.problem.empty()) co_return std::unexpected(verify_failed(report, std::move(choice)));
  report->operator_package = choice.package;
  report->warning = oddity(before ? *before : std::nullopt, *state.packages, wanted);
  CO_TRY_VOID(co_await grant_and_confirm(&services, std::move(state), report));
  if (!request.ping) co_return ok();
  CO_TRY(const std::string trouble, co_await prove_service(device, choice.package, request.ping));
  if (!trouble.empty()) report->warning += (report->warning.empty() ? "" : " ") + trouble;
  co_return ok();
}

Error setup_error(const Error& error, const SetupReport& report) {
  JsonObject members;
  add_phases(members, report);
  const bool begun = report.dispatched || report.permissions;
  if (leaves_doubt(error)) {
    ErrorMembers details;
    details.text("phase", phase_name(report)).boolean("dispatchAttempted", begun);
    if (begun) details.text("executionPosition", "unknown");
    members.object("details", details);
  }
  return with_members(error, members);
}

std::string setup_message(const SetupReport& report) {
  const auto& grants = report.permissions;
  const bool before = grants && grants->accessibility.already_enabled &&
                      grants->notification_listener.already_enabled &&
                      !grants->notification.skipped;
  return before ? "The Operator app is installed; its permissions were already enabled."
                : "The Operator app is installed and has its permissions. Next: clawperator doctor";
}

std::vector<const OperatorFeature*> missing_after(const SetupReport& report) {
  const auto version = parse_version(report.apk_version.value_or(""));
  return version ? missing_features(*version) : std::vector<const OperatorFeature*>();
}

std::string to_json(const SetupReport& report) {
  JsonObject json;
  add_phases(json, report);
  if (report.apk_version) json.text("apkVersion", *report.apk_version);
  const auto missing = missing_after(report);
  if (!missing.empty()) json.json("missing", missing_json(missing));
  return json.text("message", setup_message(report)).str();
}

}  // namespace clawperator
