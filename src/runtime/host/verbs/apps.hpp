#pragma once
// Apps by the phone's own package manager: what is there, and what is done to it, for the user in
// front. Each change is read back, but for clear_app. refused: the package manager said no, in its
// own words; package_not_found: there is no such package, and nothing was sent.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/client/install.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/app_facts.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// Asks who is in front, and whether that user has the package; package_not_found. No order to the
// package manager may go without it.
Task<void> require_package(AndroidServices* services, std::string package);

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

// Its data and its grants are gone, and it is stopped: the package manager's "Success" says so.
Task<Effect> clear_app(adbproto::Device* device, std::string package);
Task<Effect> uninstall_app(adbproto::Device* device, std::string package);

struct PermissionChange {
  std::string package{};
  std::string permission{};
  bool grant = true;
};
// A permission that Android grants at run time; the phone's list of grants confirms it.
Task<Effect> change_permission(adbproto::Device* device, PermissionChange change);

struct InstalledApp {
  Effect effect = Effect::unknown;  // unknown: "Success", and no new path was read
  std::string verdict{};
  std::optional<std::string> package{};
  std::optional<AppFacts> facts{};
};
// `apks`: one, or the parts of one package. The package is the one whose path is new afterwards.
Task<InstalledApp> install_app(adbproto::Device* device, std::vector<std::string> apks,
                               std::vector<std::string> flags);

JsonObject& add_facts(JsonObject& json, const AppFacts& facts);

}  // namespace clawperator
