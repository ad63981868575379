// Apps, by the phone's own package manager: no Operator app is needed.
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::cli {

namespace {

using Names = std::vector<std::string>;

constexpr std::array kPackagesOptions{
    Option{"--third-party", "", Arity::none, "", "only apps that are not part of the system"},
};

Result<Answer> run_packages_list(const Invocation& invocation) {
  const PackageKind kind =
      invocation.arguments.has("--third-party") ? PackageKind::third_party : PackageKind::all;
  TRY(const auto found,
      do_on_device<Names>(invocation.globals, "packages list",
                          [kind](auto* device) { return list_packages(device, kind); }));
  const Names& names = found.value;
  std::string text = names.empty() ? "no packages\n" : "";
  for (const std::string& name : names) text += printable_name(name) + "\n";
  return Answer{.json = JsonObject().strings("packages", names).str(), .text = std::move(text)};
}

constinit const Command kPackagesList = {
    .name = "packages list",
    .usage = "[--third-party]",
    .summary = "List the installed packages",
    .details = "{\"packages\":[\"a.b\",...]} in the device's own order.",
    .examples = "packages list\npackages list --third-party --output pretty\n",
    .options = kPackagesOptions,
    .run = run_packages_list};

constexpr std::array<const Command*, 1> kPackagesSubcommands{&kPackagesList};

}  // namespace

constinit const Command kPackages = {.name = "packages",
                                     .usage = "list [--third-party]",
                                     .summary = "List the installed packages",
                                     .examples = "packages list --third-party\n",
                                     .subcommands = kPackagesSubcommands};

namespace {

using Rows = std::vector<ListedApp>;

constexpr std::array kAppsListOptions{
    Option{"--third-party", "", Arity::none, "", "only apps that are not part of the system"},
    Option{"--labels", "", Arity::none, "", "always refused: no shell command prints labels"},
};

constexpr std::array kAppsInstallOptions{
    Option{"--downgrade", "", Arity::none, "", "replace a newer version; only for debuggable apps"},
    Option{"--grant-all", "", Arity::none, "", "grant all permissions that the app requests"},
    Option{"--test-only", "", Arity::none, "", "allow packages that are marked as test-only"},
};
// The package manager's names for these options.
constexpr std::array<std::string_view, kAppsInstallOptions.size()> kInstallFlags{"-d", "-g", "-t"};

JsonObject app_json(const ListedApp& app) {
  JsonObject json;
  json.text("package", app.row.package);
  if (app.row.version_code) json.number("versionCode", *app.row.version_code);
  if (app.row.uid) json.number("uid", *app.row.uid);
  return json.boolean("system", !app.third_party);
}

Result<Answer> run_apps_list(const Invocation& invocation) {
  if (invocation.arguments.has("--labels")) {
    return fail(
        errc::unsupported,
        "No shell command of any Android version prints the labels of apps: the package manager "
        "gives them only to apps.",
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
  std::vector<std::vector<std::string>> columns;
  for (const ListedApp& app : found.value) {
    const auto code = app.row.version_code;
    columns.push_back({printable_name(app.row.package), code ? std::to_string(*code) : "",
                       app.third_party ? "" : "system"});
  }
  JsonObject json = verb_answer(found.device_id);
  return Answer{.json = json.json("apps", list_json(found.value, app_json)).str(),
                .text = columns.empty() ? "no apps\n" : table(columns)};
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

// Changes one package and reports the change with its name.
Result<Answer> change_app(const Invocation& invocation, std::string package,
                          std::function<Task<ReadBack>(adbproto::Device*)> change) {
  TRY(const auto done,
      do_on_device<ReadBack>(invocation.globals, std::string(invocation.command->name),
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
  // "CAMERA" is short for android.permission.CAMERA.
  const std::string permission =
      words[1].contains('.') ? words[1] : "android.permission." + words[1];
  if (!is_package_name(permission)) {
    return validation_error("a permission name has only letters, digits, '_' and '.'");
  }
  PermissionChange change{package, permission, grant};
  TRY(const auto done,
      do_on_device<ReadBack>(invocation.globals, std::string(invocation.command->name),
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
    .name = "apps list",
    .usage = "[--third-party]",
    .summary = "List the apps with their versions",
    .details =
        "Lists the apps of the current user, in the phone's order, on Android 7 to 16;\n"
        "versionCode and uid from Android 9 on. `packages list` prints only the names.",
    .examples = "apps list --third-party\n",
    .options = kAppsListOptions,
    .run = run_apps_list};

constinit const Command kAppsInfo = {.name = "apps info",
                                     .usage = "<package>",
                                     .summary = "Print the phone's facts about an app",
                                     .details =
                                         "Version, path, times (in the phone's time zone), whether "
                                         "the app runs, and its granted run-time\n"
                                         "permissions. On Android 7 to 16.",
                                     .examples = "apps info com.android.settings\n",
                                     .run = run_apps_info,
                                     .most_words = 1};

constinit const Command kAppsInstall = {
    .name = "apps install",
    .usage = "<apk>... [--grant-all] [--downgrade] [--test-only]",
    .summary = "Install an APK, or the split APKs of one app",
    .details =
        "An older version is replaced and its data stays. Afterwards the package with a new path\n"
        "is read back. If none is found although the phone answered \"Success\", effect is\n"
        "\"unknown\". On Android 7 to 16.",
    .examples =
        "apps install app.apk\n"
        "apps install base.apk split_config.en.apk --grant-all\n",
    .options = kAppsInstallOptions,
    .run = run_apps_install,
    .most_words = 64};

constinit const Command kAppsUninstall = {
    .name = "apps uninstall",
    .usage = "<package>",
    .summary = "Remove an app for the current user",
    .details =
        "Its data is removed, too. The list of packages confirms the removal. On Android 7 to 16.",
    .examples = "apps uninstall com.example.app\n",
    .run = run_apps_uninstall,
    .most_words = 1};

constinit const Command kAppsClear = {
    .name = "apps clear",
    .usage = "<package>",
    .summary = "Stop an app and remove its data and grants",
    .details =
        "The app is then as after its installation, for the current user. The phone's answer\n"
        "\"Success\" is the only confirmation; nothing is read back. On Android 7 to 16; ColorOS\n"
        "refuses it.",
    .examples = "apps clear com.example.app\n",
    .run = run_apps_clear,
    .most_words = 1};

constinit const Command kAppsGrant = {.name = "apps grant",
                                      .usage = "<package> <permission>",
                                      .summary = "Grant a permission that the app requests",
                                      .details =
                                          "For run-time permissions only; CAMERA is short for "
                                          "android.permission.CAMERA. The phone's list of\n"
                                          "grants confirms it. On Android 7 to 16.",
                                      .examples = "apps grant com.example.app CAMERA\n",
                                      .run = run_apps_permission,
                                      .most_words = 2};

constinit const Command kAppsRevoke = {
    .name = "apps revoke",
    .usage = "<package> <permission>",
    .summary = "Revoke a permission",
    .details =
        "Android stops a running app. The phone's list of grants confirms it. On Android 7 to 16.",
    .examples = "apps revoke com.example.app CAMERA\n",
    .run = run_apps_permission,
    .most_words = 2};

constexpr std::array<const Command*, 7> kAppsSubcommands{
    &kAppsList, &kAppsInfo, &kAppsInstall, &kAppsUninstall, &kAppsClear, &kAppsGrant, &kAppsRevoke};

}  // namespace

constinit const Command kApps = {
    .name = "apps",
    .usage = "list|info|install|uninstall|clear|grant|revoke ...",
    .summary = "Install, remove and inspect apps",
    .details =
        "The phone's own package manager does it; no Operator app is needed. Each change is read\n"
        "back before it is reported, except for `clear`, whose confirmation is the phone's\n"
        "\"Success\".",
    .examples =
        "apps list --third-party\n"
        "apps info com.android.settings\n",
    .subcommands = kAppsSubcommands};

}  // namespace clawperator::cli
