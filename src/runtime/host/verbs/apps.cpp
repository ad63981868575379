#include "runtime/host/verbs/apps.hpp"

#include <algorithm>
#include <set>

#include "adbproto/client/package_service.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/packages.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

constexpr int kTellsVersions = 28;  // Android 9

std::unexpected<Error> no_such_package(const AndroidServices& services,
                                       const std::string& package) {
  ErrorMembers details;
  details.text("deviceId", services.device()->serial()).text("package", package);
  return fail(errc::package_not_found,
              package + " is not installed on " + services.device()->serial() + ".",
              ErrorMembers()
                  .text("hint", "See what is: clawperator apps list")
                  .object("details", details)
                  .str());
}

bool lists(std::string_view listing, const std::string& package) {
  const auto names = parse_package_list(listing);
  return std::ranges::find(names, package) != names.end();
}

Task<AppFacts> describe(AndroidServices* services, std::string package) {
  CO_TRY(const CommandOutput dumped,
         co_await run_on_device(services->device(), package_state_line(package)));
  auto facts = parse_app_facts(dumped.out, package, services->user());
  if (facts) co_return *std::move(facts);
  co_return fail(errc::device_shell_unavailable,
                 "the device does not describe " + package + ": " + one_message(dumped.text()));
}

// Of an order that went out and was not answered, the end is not known.
Task<CommandOutput> order_package(AndroidServices* services, Words words) {
  auto done = co_await services->order(AndroidService::package, std::move(words));
  if (!done) co_return std::unexpected(unknown_end(done.error()));
  co_return done;
}

asio::awaitable<Error> refusal(AndroidServices* services, std::string what, CommandOutput output) {
  co_return co_await with_vendor_hint(services->device(), said_no(what, output));
}

bool says_success(const CommandOutput& output) { return adbproto::is_success(trimmed(output.out)); }

Task<std::set<std::string>> third_party_names(AndroidServices* services) {
  CO_TRY(const CommandOutput listing,
         co_await services->ask(AndroidService::package,
                                all_packages_words(services->user(), PackageKind::third_party)));
  const auto names = parse_package_list(listing.out);
  co_return std::set<std::string>(names.begin(), names.end());
}

Task<std::vector<PackagePath>> read_paths(AndroidServices* services) {
  CO_TRY(const CommandOutput listing,
         co_await services->ask(AndroidService::package, package_paths_words(services->user())));
  co_return parse_package_paths(listing.out);
}

// The device's own verdict, or how it is known that there is none.
Task<std::string> run_install(adbproto::Device* device, std::vector<std::string> apks,
                              std::vector<std::string> flags) {
  adbproto::InstallOptions options;
  options.flags = std::move(flags);
  bool all_sent = false;
  const auto executor = co_await asio::this_coro::executor;
  const auto count = [&](const adbproto::InstallProgress& at) {
    all_sent = at.done >= at.total;
    if (all_sent) note_order(executor);
  };
  const auto verdict =
      co_await adbproto::install(device, std::move(apks), std::move(options), count);
  if (verdict) co_return *verdict;
  const Error& error = verdict.error();
  if (error.code() == errc::refused && !names_lost_link(error)) {
    Error said{errc::refused, one_message(error.message())};
    co_return std::unexpected(co_await with_vendor_hint(device, std::move(said)));
  }
  co_return std::unexpected(all_sent ? unknown_end(error) : error);
}

}  // namespace

Task<void> require_package(AndroidServices* services, std::string package) {
  CO_TRY(const CommandOutput listing, co_await list_matching(services, package));
  if (lists(listing.out, package)) co_return ok();
  co_return no_such_package(*services, package);
}

Task<std::vector<ListedApp>> list_apps(adbproto::Device* device, PackageKind kind) {
  AndroidServices services(device);
  const auto [sdk, user] = co_await (ask_sdk(device) && services.find_user());
  CO_TRY_VOID(sdk);
  CO_TRY_VOID(user);
  Words words = *sdk >= kTellsVersions ? packages_in_detail_words(*user, kind)
                                       : all_packages_words(*user, kind);
  const auto [listing, others] = co_await (
      services.ask(AndroidService::package, std::move(words)) && third_party_names(&services));
  CO_TRY_VOID(listing);
  CO_TRY_VOID(others);
  std::vector<ListedApp> apps;
  for (AppRow& row : parse_app_rows(listing->out)) {
    const bool third_party = others->contains(row.package);
    apps.push_back({std::move(row), third_party});
  }
  co_return apps;
}

Task<AppState> read_app(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, package));
  const auto [facts, processes] =
      co_await (describe(&services, package) && run_on_device(device, process_ids_line(package)));
  CO_TRY_VOID(facts);
  CO_TRY_VOID(processes);
  co_return AppState{*facts, parse_process_ids(processes->out)};
}

Task<Effect> clear_app(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, package));
  CO_TRY(const CommandOutput done,
         co_await order_package(&services, clear_data_words(services.user(), package)));
  if (says_success(done)) co_return Effect::changed;
  co_return std::unexpected(
      co_await refusal(&services, "the data of " + package + " was not cleared", done));
}

Task<Effect> uninstall_app(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, package));
  CO_TRY(const CommandOutput done,
         co_await order_package(&services, uninstall_words(services.user(), package)));
  if (!says_success(done)) {
    co_return std::unexpected(co_await refusal(&services, package + " was not uninstalled", done));
  }
  const auto listing =
      co_await services.ask(AndroidService::package, list_packages_words(services.user(), package));
  if (!listing) co_return std::unexpected(unknown_end(listing.error()));
  if (!lists(listing->out, package)) co_return Effect::changed;
  co_return not_confirmed("The device said \"Success\", and " + package + " is still installed.",
                          device->serial(), ErrorMembers().text("package", package));
}

Task<Effect> change_permission(adbproto::Device* device, PermissionChange change) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, change.package));
  CO_TRY(const AppFacts before, co_await describe(&services, change.package));
  if (is_granted(before, change.permission) == change.grant) co_return Effect::unchanged;
  Words words = change.grant ? grant_words(services.user(), change.package, change.permission)
                             : revoke_words(services.user(), change.package, change.permission);
  CO_TRY(const CommandOutput done, co_await order_package(&services, std::move(words)));
  const std::string what = change.permission + " was not " + (change.grant ? "granted" : "revoked");
  // It is silent where it worked.
  if (done.exit_status != 0 || !trimmed(done.text()).empty()) {
    co_return std::unexpected(co_await refusal(&services, what, done));
  }
  const auto after = co_await describe(&services, change.package);
  if (!after) co_return std::unexpected(unknown_end(after.error()));
  const auto granted = is_granted(*after, change.permission);
  if (granted == change.grant) co_return Effect::changed;
  ErrorMembers found;
  found.text("package", change.package).text("permission", change.permission);
  if (granted) found.boolean("granted", *granted);
  co_return not_confirmed(what + ", although the device did not object.", device->serial(), found);
}

Task<InstalledApp> install_app(adbproto::Device* device, std::vector<std::string> apks,
                               std::vector<std::string> flags) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await services.find_user());
  CO_TRY(const auto before, co_await read_paths(&services));
  InstalledApp installed;
  CO_TRY(installed.verdict, co_await run_install(device, std::move(apks), std::move(flags)));
  const auto after = co_await read_paths(&services);
  if (!after) co_return installed;
  const auto fresh = new_paths(before, *after);
  if (fresh.size() != 1) co_return installed;
  installed.effect = Effect::changed;
  installed.package = fresh.front().package;
  auto facts = co_await describe(&services, *installed.package);
  if (facts) installed.facts = *std::move(facts);
  co_return installed;
}

JsonObject& add_facts(JsonObject& json, const AppFacts& facts) {
  const auto text = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value) json.text(name, *value);
  };
  const auto number = [&](std::string_view name, const std::optional<std::int64_t>& value) {
    if (value) json.number(name, *value);
  };
  text("versionName", facts.version_name);
  number("versionCode", facts.version_code);
  number("targetSdk", facts.target_sdk);
  number("uid", facts.uid);
  text("path", facts.path);
  text("firstInstallTime", facts.first_installed);
  text("lastUpdateTime", facts.last_updated);
  if (facts.enabled) json.boolean("enabled", *facts.enabled);
  if (facts.stopped) json.boolean("stopped", *facts.stopped);
  return json.boolean("system", facts.system).boolean("debuggable", facts.debuggable);
}

}  // namespace clawperator
