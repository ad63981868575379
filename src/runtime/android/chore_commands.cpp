#include "runtime/android/chore_commands.hpp"

#include <set>

#include "adbproto/wire/services.hpp"
#include "base/text.hpp"

namespace clawperator {

namespace {

Words for_user(Words before, int user, Words after) {
  before.insert(before.end(), {"--user", std::to_string(user)});
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

std::string secure_setting(std::string_view verb, int user, std::string_view name) {
  return "settings --user " + std::to_string(user) + " " + std::string(verb) + " secure " +
         std::string(name);
}

std::string put_line(int user, std::string_view name, std::string_view value) {
  if (value.empty()) return secure_setting("delete", user, name);
  return secure_setting("put", user, name) + " " + quote_for_shell(value);
}

}  // namespace

Words all_packages_words(int user, PackageKind kind) {
  return for_user({"list", "packages"}, user,
                  kind == PackageKind::third_party ? Words{"-3"} : Words{});
}

Words packages_in_detail_words(int user, PackageKind kind) {
  Words words = all_packages_words(user, kind);
  words.insert(words.begin() + 2, {"-U", "--show-versioncode"});
  return words;
}

Words package_paths_words(int user) { return for_user({"list", "packages", "-f"}, user, {}); }

Words revoke_words(int user, const std::string& package, std::string_view permission) {
  return for_user({"revoke"}, user, {package, std::string(permission)});
}

Words clear_data_words(int user, const std::string& package) {
  return for_user({"clear"}, user, {package});
}

Words uninstall_words(int user, const std::string& package) {
  return for_user({"uninstall"}, user, {package});
}

Words grant_words(int user, const std::string& package, std::string_view permission) {
  return for_user({"grant"}, user, {package, std::string(permission)});
}

Words start_activity_words(int user, const std::string& component) {
  return for_user({"start"}, user, {"-n", component});
}

Words read_setting_words(int user, const SettingKey& key) {
  return for_user({}, user, {"get", key.table, key.name});
}

Words put_setting_words(int user, const SettingKey& key, const std::string& value) {
  return for_user({}, user, {"put", key.table, key.name, value});
}

Words delete_setting_words(int user, const SettingKey& key) {
  return for_user({}, user, {"delete", key.table, key.name});
}

std::string relisting_line(int user, const Relisting& relisting) {
  return "trap '' HUP; " + put_line(user, relisting.list, relisting.first) + "; " +
         put_line(user, relisting.switch_name, "1") + "; sleep 1; " +
         put_line(user, relisting.list, relisting.then);
}

std::string allow_listener_line(int user, std::string_view component) {
  return "cmd notification allow_listener " + quote_for_shell(component) + " " +
         std::to_string(user);
}

std::string allow_restricted_settings_line(int user, std::string_view package) {
  return "cmd appops set --user " + std::to_string(user) + " " + quote_for_shell(package) +
         " ACCESS_RESTRICTED_SETTINGS allow";
}

std::string notification_state_line() { return "dumpsys notification"; }

std::string accessibility_state_line() { return "dumpsys accessibility"; }

std::string package_state_line(std::string_view package) {
  return "dumpsys package " + quote_for_shell(package);
}

std::string process_ids_line(std::string_view process) {
  // That nothing runs is no failure.
  return "pidof " + quote_for_shell(process) + " || true";
}

std::string sdk_line() { return "getprop ro.build.version.sdk"; }

std::string maker_line() { return "getprop ro.product.manufacturer; getprop ro.build.version.sdk"; }

std::string screen_size_line() { return "wm size"; }

std::string screen_density_line() { return "wm density"; }

// The log's daemon gets the message on a socket of its own: a reader may be faster, and reads again
// until a second has passed.
std::string log_probe_line() {
  const std::string read =
      "P=$(logcat -b main -d -v brief -T \"$E\" ClawperatorProbe:D '*:S') || exit; ";
  return "getprop persist.log.tag; getprop log.tag; E=$EPOCHREALTIME; [ \"$E\" ] || E=$(date "
         "+%s).0; log -p d -t ClawperatorProbe debug || exit; " +
         read +
         "for S in 0.05 0.2 0.7; do case \"$P\" in *ClawperatorProbe*) break;; esac; sleep $S; " +
         read + "done; echo \"probe=$P\"";
}

std::string boot_state_line() {
  return "getprop sys.boot_completed; getprop dev.bootcomplete; getprop ro.boot.qemu.avd_name; "
         "getprop ro.kernel.qemu.avd_name";
}

std::string private_tail_line(std::string_view package, std::size_t bytes, std::string_view file) {
  return "run-as " + quote_for_shell(package) + " tail -c " + std::to_string(bytes) + " " +
         std::string(file);
}

std::string file_as_app_line(std::string_view package, std::string_view file) {
  return "run-as " + quote_for_shell(package) + " cat " + quote_for_shell(file);
}

std::string alive_line() { return "true"; }

std::string serials_line() { return "getprop ro.serialno; getprop ro.boot.serialno"; }

namespace {

constexpr std::string_view kMain = "android.intent.action.MAIN";
constexpr std::string_view kLauncher = "android.intent.category.LAUNCHER";
constexpr std::size_t kMaxMessage = 300;  // a line of `am`, as an error's text

// A new task, or the one that there is, as a launcher does it.
constexpr std::string_view kLauncherFlags = "0x10200000";

// A line that repeats the caller's own words, names the started activity, or only announces the
// cause on the next line.
bool is_echo(std::string_view line) {
  return line.starts_with("Starting:") || line.starts_with("Activity:") ||
         line.starts_with("Warning:") || line.starts_with("Exception occurred while executing");
}

bool is_failure(std::string_view line) {
  return line.starts_with("Error") || line.find("Permission Denial") != line.npos ||
         line.find("Exception") != line.npos || line.find("Failure calling service") != line.npos;
}

bool is_unresolved(std::string_view line) {
  return line.find("unable to resolve Intent") != line.npos ||
         line.find("does not exist") != line.npos;
}

}  // namespace

namespace {

bool is_component(std::string_view line) {
  const std::size_t slash = line.find('/');
  return slash != line.npos && slash > 0 && slash + 1 < line.size() &&
         line.find_first_of(" =:") == line.npos;
}

}  // namespace

Words launcher_activities_words() {
  return {"query-activities", "--brief", "-a", std::string(kMain), "-c", std::string(kLauncher)};
}

std::vector<std::string> read_launcher_packages(std::string_view printed) {
  std::set<std::string> packages;
  while (!printed.empty()) {
    const std::string_view line = trimmed(take_line(&printed));
    if (is_component(line)) packages.emplace(line.substr(0, line.find('/')));
  }
  return {packages.begin(), packages.end()};
}

Words launcher_activity_words(const std::string& package) {
  return {"resolve-activity",     "--brief", "-a", std::string(kMain), "-c",
          std::string(kLauncher), package};
}

std::optional<std::string> read_launcher_activity(std::string_view printed) {
  std::optional<std::string> component;
  while (!printed.empty()) {
    const std::string_view line = trimmed(take_line(&printed));
    if (is_component(line)) component = std::string(line);
  }
  if (component && component->starts_with("android/")) return std::nullopt;
  return component;
}

Words launch_words(const std::string& component) {
  return {"start", "-W",
          "-a",    std::string(kMain),
          "-c",    std::string(kLauncher),
          "-f",    std::string(kLauncherFlags),
          "-n",    component};
}

Words launch_package_words(const std::string& package) {
  return {"start", "-W", "-f", std::string(kLauncherFlags), package};
}

Words view_words(const std::string& uri) {
  return {"start", "-W", "-a", "android.intent.action.VIEW", "-d", uri};
}

StartAnswer read_start(std::string_view out, std::string_view err) {
  const std::string both = std::string(err) + "\n" + std::string(out);
  std::string_view rest = both;
  StartAnswer answer;
  bool began = false;
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(&rest));
    if (!is_echo(line) && is_failure(line)) {
      if (answer.said.empty()) answer.said = line.substr(0, kMaxMessage);
      if (!is_unresolved(line)) continue;
      return {StartOutcome::unresolved, std::string(line.substr(0, kMaxMessage))};
    }
    began = began || line.starts_with("Starting:");
    if (line == "Status: ok") answer.outcome = StartOutcome::shown;
    if (line == "Status: timeout") answer.outcome = StartOutcome::started;
  }
  if (!answer.said.empty()) return {StartOutcome::refused, std::move(answer.said)};
  if (answer.outcome != StartOutcome::refused) return answer;
  if (began) return {StartOutcome::started, {}};
  return {StartOutcome::refused, std::string(first_line(trimmed(both), kMaxMessage))};
}

}  // namespace clawperator
