#pragma once
// Apps by the phone's own package manager: reads them (rows of `pm list packages`, `dumpsys
// package`; a member is absent where a release does not print it), and changes them for the user in
// front. Each change is read back, except clear_app. refused: the package manager refused, with its
// own text; package_not_found: there is no such package, and nothing was sent.

#include "adbproto/client/install.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// The names in `package:NAME` lines; CR LF, blanks and other lines are tolerated.
std::vector<std::string> parse_package_list(std::string_view listing);

struct AppRow {
  std::string package{};
  std::optional<std::int64_t> version_code{};
  std::optional<std::int64_t> uid{};

  bool operator==(const AppRow&) const = default;
};

// `package:NAME versionCode:N uid:N`, the two in any order, or neither; other lines are passed
// over.
std::vector<AppRow> parse_app_rows(std::string_view listing);

// NAME and PATH of the lines `package:PATH=NAME`, as they are printed.
struct PackagePath {
  std::string package{};
  std::string path{};

  bool operator==(const PackagePath&) const = default;
};
std::vector<PackagePath> parse_package_paths(std::string_view listing);
// Those of `after` that are not in `before`: the packages that were installed in between.
std::vector<PackagePath> new_paths(const std::vector<PackagePath>& before,
                                   const std::vector<PackagePath>& after);

struct AppPermission {
  std::string name{};
  bool granted = false;

  bool operator==(const AppPermission&) const = default;
};

struct AppFacts {
  std::optional<std::string> version_name{};
  std::optional<std::int64_t> version_code{};
  std::optional<std::int64_t> target_sdk{};
  std::optional<std::int64_t> uid{};
  std::optional<std::string> path{};
  std::optional<std::string> first_installed{};  // in the phone's own time zone, as it prints it
  std::optional<std::string> last_updated{};
  std::optional<bool> enabled{};
  std::optional<bool> stopped{};
  bool system = false;
  bool debuggable = false;
  std::vector<AppPermission> permissions{};  // the runtime permissions
};

// Of the installed package, for that user; nullopt where the text describes no such package. A
// system app that was updated is described twice, and the hidden one does not count.
std::optional<AppFacts> parse_app_facts(std::string_view dumpsys, std::string_view package,
                                        int user);

// Whether that permission is granted; nullopt where the app does not request it.
std::optional<bool> is_granted(const AppFacts& facts, std::string_view permission);

// The numbers that `pidof` printed.
std::vector<std::int64_t> parse_process_ids(std::string_view printed);

// Reads the user in front, and whether that user has the package; package_not_found. No order to
// the package manager may go without it.
Task<void> require_package(AndroidServices* services, std::string package);

// The names of those of the user in front, in the phone's order. device_shell_unavailable.
Task<std::vector<std::string>> list_packages(adbproto::Device* device, PackageKind kind);

// The packages that a launcher shows, in order; all packages where the device does not list them
// (before Android 8). device_shell_unavailable.
Task<std::vector<std::string>> list_launchable(adbproto::Device* device);

struct ListedApp {
  AppRow row{};
  bool third_party = false;
};
// In the phone's order. Version codes and user ids from Android 9 on.
Task<std::vector<ListedApp>> list_apps(adbproto::Device* device, PackageKind kind);

struct AppState {
  AppFacts facts{};
  std::vector<std::int64_t> processes{};  // of the package's own name
};
Task<AppState> read_app(adbproto::Device* device, std::string package);

// Its data and its grants are gone, and it is stopped, by the package manager's "Success".
Task<ReadBack> clear_app(adbproto::Device* device, std::string package);
Task<ReadBack> uninstall_app(adbproto::Device* device, std::string package);

struct PermissionChange {
  std::string package{};
  std::string permission{};
  bool grant = true;
};
// A permission that Android grants at run time; the phone's list of grants confirms it.
Task<ReadBack> change_permission(adbproto::Device* device, PermissionChange change);

struct InstalledApp {
  ReadBack effect = ReadBack::unknown;  // unknown: "Success", and no new path was read
  std::string verdict{};
  std::optional<std::string> package{};
  std::optional<AppFacts> facts{};
};
// `apks`: one, or the parts of one package. The package is the one whose path is new afterwards.
Task<InstalledApp> install_app(adbproto::Device* device, std::vector<std::string> apks,
                               std::vector<std::string> flags);

JsonObject& add_facts(JsonObject& json, const AppFacts& facts);

}  // namespace clawperator
