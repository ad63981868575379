#pragma once
// The commands of doctor, setup and the other chores, and those that open apps: commands of
// Android's services as words, and lines for the device's sh. Foreign words in lines are quoted.
// Commands name their user, because Android's default differs between commands and between
// versions.

#include "base/prelude.hpp"
#include "runtime/android/service_command.hpp"

namespace clawperator {

enum class PackageKind { all, third_party };
Words all_packages_words(int user, PackageKind kind);
// With `versionCode:N uid:N` behind each name; Android 9 and newer.
Words packages_in_detail_words(int user, PackageKind kind);
// `package:PATH=NAME`: the path of a package is another one after each installation.
Words package_paths_words(int user);
Words grant_words(int user, const std::string& package, std::string_view permission);
Words revoke_words(int user, const std::string& package, std::string_view permission);
// Prints "Success", or "Failed".
Words clear_data_words(int user, const std::string& package);
// For that user alone. Prints "Success", or "Failure [WHY]".
Words uninstall_words(int user, const std::string& package);
Words start_activity_words(int user, const std::string& component);

// One of Android's settings.
struct SettingKey {
  std::string table;  // global, secure, system
  std::string name;
};
// Prints the value, or "null".
Words read_setting_words(int user, const SettingKey& key);
Words put_setting_words(int user, const SettingKey& key, const std::string& value);
// Android refuses to put an empty value.
Words delete_setting_words(int user, const SettingKey& key);

// Sets a setting to `first`, switches accessibility on, and sets the setting to `then` a second
// later. Android reads the value some time after the change, and starts a service again only if it
// saw the value gone in between. Goes on when the link or this process is gone.
struct Relisting {
  std::string_view list;         // secure setting
  std::string_view switch_name;  // secure setting, put to 1
  std::string first;             // may be empty
  std::string then;
};
std::string relisting_line(int user, const Relisting& relisting);

// Android 8.1 and newer; older ones have the setting only.
std::string allow_listener_line(int user, std::string_view component);
// Lets an app from outside of a store be an accessibility service; Android 13 and newer.
std::string allow_restricted_settings_line(int user, std::string_view package);
std::string notification_state_line();   // "All notification listeners ..." lists the grants
std::string accessibility_state_line();  // lists services, and apps that suppress them
std::string package_state_line(std::string_view package);
// Prints the numbers of the package's main process, and nothing where it does not run.
std::string process_ids_line(std::string_view process);

std::string sdk_line();
std::string maker_line();  // prints ro.product.manufacturer and ro.build.version.sdk, a line each
std::string screen_size_line();
std::string screen_density_line();
// Prints persist.log.tag, log.tag, and "probe=" with what the log holds of a debug message that was
// just written.
std::string log_probe_line();
// Prints sys.boot_completed, dev.bootcomplete and the name of the AVD, in its newer and its older
// property: a line each.
std::string boot_state_line();
// The last `bytes` of a file in the app's own folder; debuggable apps only.
std::string private_tail_line(std::string_view package, std::size_t bytes, std::string_view file);
// A whole file, read as the app; debuggable apps only.
std::string file_as_app_line(std::string_view package, std::string_view file);
std::string alive_line();
// Prints ro.serialno and ro.boot.serialno, a line each.
std::string serials_line();

// Apps brought to the front by Android's activity manager, and its result. Its exit status is 0 for
// its own errors up to Android 11 at least, so its output decides. Pure.

// Of AndroidService::package: which activity the launcher starts for a package.
Words launcher_activity_words(const std::string& package);
// Of all apps of the user in front, Android 8 and later: lines "PACKAGE/ACTIVITY" between others.
Words launcher_activities_words();
// The packages of these lines, in order, each once. Empty where the device has no such query.
std::vector<std::string> read_launcher_packages(std::string_view printed);
// "com.x/.Main"; nullopt where the package has none. With several the system would ask the user.
std::optional<std::string> read_launcher_activity(std::string_view printed);

// Of AndroidService::activity. They wait until the activity is drawn, for ten seconds at most.
Words launch_words(const std::string& component);
// Where the activity is unknown: Android 5 and newer find the launcher's; with several they ask the
// user.
Words launch_package_words(const std::string& package);
Words view_words(const std::string& uri);

enum class StartOutcome : std::uint8_t {
  shown,
  started,  // but not drawn yet when Android ceased to wait
  unresolved,
  refused,
};

struct StartAnswer {
  StartOutcome outcome = StartOutcome::refused;
  std::string said;  // of a failure, one line
};

StartAnswer read_start(std::string_view out, std::string_view err);

}  // namespace clawperator
