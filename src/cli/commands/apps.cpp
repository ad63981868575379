// Apps by the phone's own package manager: no Operator app is needed.
#include "runtime/host/verbs/apps.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/people.hpp"
#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator::cli {
namespace {

using Rows = std::vector<ListedApp>;

constexpr std::array kAppsListOptions{
    Option{"--third-party", "", Arity::none, "", "only what is no part of the system"},
    Option{"--labels", "", Arity::none, "", "always refused, with the reason"},
};

constexpr std::array kAppsInstallOptions{
    Option{"--downgrade", "", Arity::none, "", "over a newer version; debuggable apps only"},
    Option{"--grant-all", "", Arity::none, "", "with all permissions that it asks for"},
    Option{"--test-only", "", Arity::none, "", "also what is marked as made for tests"},
};
// How the package manager calls them.
constexpr std::array<std::string_view, kAppsInstallOptions.size()> kInstallFlags{"-d", "-g", "-t"};

std::string app_json(const ListedApp& app) {
  JsonObject json;
  json.text("package", app.row.package);
  if (app.row.version_code) json.number("versionCode", *app.row.version_code);
  if (app.row.uid) json.number("uid", *app.row.uid);
  return json.boolean("system", !app.third_party).str();
}

Result<Answer> run_apps_list(const Invocation& invocation) {
  if (invocation.arguments.has("--labels")) {
    return fail(errc::unsupported,
                "No shell command of any Android tells the labels of apps: the package manager "
                "prints them to apps alone.",
                ErrorMembers()
                    .text("hint",
                          "Open the launcher and read its labels: clawperator press home; "
                          "clawperator snapshot --format compact")
                    .str());
  }
  const PackageKind kind =
      invocation.arguments.has("--third-party") ? PackageKind::third_party : PackageKind::all;
  TRY(const auto found, do_on_device<Rows>(invocation.globals, "apps list", [kind](auto* device) {
        return list_apps(device, kind);
      }));
  std::string list;
  std::vector<std::vector<std::string>> columns;
  for (const ListedApp& app : found.value) {
    list += (list.empty() ? "" : ",") + app_json(app);
    const auto code = app.row.version_code;
    columns.push_back({printable_name(app.row.package), code ? std::to_string(*code) : "",
                       app.third_party ? "" : "system"});
  }
  Answer answer;
  answer.json = verb_answer(found.device_id).json("apps", "[" + list + "]").str();
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = columns.empty() ? "no apps\n" : table(columns);
  }
  return answer;
}

std::string permissions_json(const AppFacts& facts) {
  std::vector<std::string> granted, denied;
  for (const AppPermission& permission : facts.permissions) {
    (permission.granted ? granted : denied).push_back(permission.name);
  }
  return JsonObject().strings("granted", granted).strings("denied", denied).str();
}

Result<Answer> run_apps_info(const Invocation& invocation) {
  TRY(const std::string package, package_argument(invocation.arguments, "apps info <package>"));
  TRY(const auto found,
      do_on_device<AppState>(invocation.globals, "apps info",
                             [package](auto* device) { return read_app(device, package); }));
  JsonObject json = verb_answer(found.device_id);
  add_facts(json.text("package", package), found.value.facts);
  Json processes = Json::array();
  for (const std::int64_t process : found.value.processes) processes.push_back(process);
  json.json("processes", write_json(processes));
  return Answer{json.json("permissions", permissions_json(found.value.facts)).str(), {}, {}, 0};
}

// One change of one package, told with its name.
Result<Answer> change_app(const Invocation& invocation, std::string package,
                          std::function<Task<Effect>(adbproto::Device*)> change) {
  TRY(const auto done,
      do_on_device<Effect>(invocation.globals, std::string(invocation.command->name),
                           std::move(change)));
  JsonObject json = verb_answer(done.device_id, done.value);
  return Answer{json.text("package", package).str(), {}, {}, 0};
}

Result<Answer> run_apps_clear(const Invocation& invocation) {
  TRY(const std::string package, package_argument(invocation.arguments, "apps clear <package>"));
  return change_app(invocation, package,
                    [package](auto* device) { return clear_app(device, package); });
}

Result<Answer> run_apps_uninstall(const Invocation& invocation) {
  TRY(const std::string package,
      package_argument(invocation.arguments, "apps uninstall <package>"));
  return change_app(invocation, package,
                    [package](auto* device) { return uninstall_app(device, package); });
}

Result<Answer> run_apps_permission(const Invocation& invocation) {
  const bool grant = invocation.command->name.ends_with("grant");
  const std::string usage = std::string(invocation.command->name) + " <package> <permission>";
  TRY(const std::string package, package_argument(invocation.arguments, usage));
  const auto& words = invocation.arguments.positionals();
  if (words.size() < 2) return missing_argument("It requires the name of a permission.", usage);
  // CAMERA is android.permission.CAMERA.
  const std::string permission =
      words[1].contains('.') ? words[1] : "android.permission." + words[1];
  if (!is_package_name(permission)) {
    return validation_error("a permission's name is letters, digits, '_' and '.'");
  }
  PermissionChange change{package, permission, grant};
  TRY(const auto done,
      do_on_device<Effect>(invocation.globals, std::string(invocation.command->name),
                           [change](auto* device) { return change_permission(device, change); }));
  JsonObject json = verb_answer(done.device_id, done.value);
  json.text("package", package).text("permission", permission).boolean("granted", grant);
  return Answer{json.str(), {}, {}, 0};
}

Result<Answer> run_apps_install(const Invocation& invocation) {
  std::vector<std::string> apks;
  for (const std::string& word : invocation.arguments.positionals()) {
    apks.push_back(expand_home(word));
  }
  if (apks.empty()) {
    return missing_argument("apps install requires a package file.", "apps install <apk>...");
  }
  std::vector<std::string> flags{"-r"};
  for (std::size_t i = 0; i < kInstallFlags.size(); ++i) {
    if (invocation.arguments.has(kAppsInstallOptions[i].name)) flags.emplace_back(kInstallFlags[i]);
  }
  TRY(const auto done,
      do_on_device<InstalledApp>(invocation.globals, "apps install", [apks, flags](auto* device) {
        return install_app(device, apks, flags);
      }));
  const InstalledApp& app = done.value;
  JsonObject json = verb_answer(done.device_id, app.effect);
  json.text("verdict", app.verdict);
  if (app.package) json.text("package", *app.package);
  if (app.facts) add_facts(json, *app.facts);
  return Answer{json.str(), {}, {}, 0};
}

constinit const Command kAppsList = {
    "apps list",
    "",
    "[--third-party]",
    "List the apps with their versions",
    "Of the user in front, in the phone's order, on Android 7 to 16; versionCode and uid from\n"
    "Android 9 on. `packages list` gives the names alone.",
    "apps list --third-party\n",
    Reach::device,
    kAppsListOptions,
    run_apps_list};

constinit const Command kAppsInfo = {
    "apps info",
    "",
    "<package>",
    "Tell what the phone knows of an app",
    "Version, path, times (in the phone's own time zone), whether it runs, and the permissions\n"
    "that are granted at run time. On Android 7 to 16.",
    "apps info com.android.settings\n",
    Reach::device,
    {},
    run_apps_info,
    {},
    1};

constinit const Command kAppsInstall = {
    "apps install",
    "",
    "<apk>... [--grant-all] [--downgrade] [--test-only]",
    "Install a package, or the parts of one",
    "Over an older version, whose data stays. What is installed is read back: the package whose\n"
    "path is new; effect \"unknown\" where none is read, although the phone said \"Success\". On\n"
    "Android 7 to 16.",
    "apps install app.apk\n"
    "apps install base.apk split_config.en.apk --grant-all\n",
    Reach::device,
    kAppsInstallOptions,
    run_apps_install,
    {},
    64};

constinit const Command kAppsUninstall = {
    "apps uninstall",
    "",
    "<package>",
    "Remove an app for the user in front",
    "Its data goes with it. The list of packages confirms it. On Android 7 to 16.",
    "apps uninstall com.example.app\n",
    Reach::device,
    {},
    run_apps_uninstall,
    {},
    1};

constinit const Command kAppsClear = {
    "apps clear",
    "",
    "<package>",
    "Stop an app and remove its data and grants",
    "As after its installation, for the user in front. It is done where the phone says\n"
    "\"Success\"; nothing else is read back. On Android 7 to 16; ColorOS refuses it.",
    "apps clear com.example.app\n",
    Reach::device,
    {},
    run_apps_clear,
    {},
    1};

constinit const Command kAppsGrant = {
    "apps grant",
    "",
    "<package> <permission>",
    "Grant a permission that the app asks for",
    "One that is asked for at run time (CAMERA is android.permission.CAMERA). The phone's list of\n"
    "grants confirms it. On Android 7 to 16.",
    "apps grant com.example.app CAMERA\n",
    Reach::device,
    {},
    run_apps_permission,
    {},
    2};

constinit const Command kAppsRevoke = {
    "apps revoke",
    "",
    "<package> <permission>",
    "Take a permission back",
    "Android stops an app that runs. The phone's list of grants confirms it. On Android 7 to 16.",
    "apps revoke com.example.app CAMERA\n",
    Reach::device,
    {},
    run_apps_permission,
    {},
    2};

constexpr std::array<const Command*, 7> kAppsSubcommands{
    &kAppsList, &kAppsInfo, &kAppsInstall, &kAppsUninstall, &kAppsClear, &kAppsGrant, &kAppsRevoke};

}  // namespace

constinit const Command kApps = {
    "apps",
    "",
    "list|info|install|uninstall|clear|grant|revoke ...",
    "Apps by the phone's own package manager",
    "They need no Operator app. Each change is read back before it is called done; `clear` goes\n"
    "by the phone's own \"Success\".",
    "apps list --third-party\n"
    "apps info com.android.settings\n",
    Reach::device,
    {},
    nullptr,
    kAppsSubcommands};

}  // namespace clawperator::cli
