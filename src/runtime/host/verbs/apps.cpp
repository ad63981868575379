#include "runtime/host/verbs/apps.hpp"

#include <algorithm>
#include <set>

#include "adbproto/client/package_service.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kPackagePrefix = "package:";

// The word that follows `key` (with its mark) in a line of `key=value` words.
std::optional<std::string_view> word_of(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
    if (at > 0 && line[at - 1] != ' ') continue;
    const std::string_view rest = line.substr(at + key.size());
    return rest.substr(0, std::min(rest.find_first_of(" ,"), rest.size()));
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_of(std::string_view line, std::string_view key) {
  const auto word = word_of(line, key);
  return word ? whole_number<std::int64_t>(*word) : std::nullopt;
}

void read_number(std::string_view line, std::string_view key, std::optional<std::int64_t>* into) {
  if (!*into) *into = number_of(line, key);
}

// The whole rest of a line that begins with `key`.
void read_rest(std::string_view line, std::string_view key, std::optional<std::string>* into) {
  if (*into || !line.starts_with(key)) return;
  *into = std::string(trimmed(line.substr(key.size())));
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// "android.permission.CAMERA: granted=true, flags=[ USER_SET ]"
std::optional<AppPermission> read_permission(std::string_view line) {
  const auto colon = line.find(": granted=");
  if (colon == line.npos || colon == 0) return std::nullopt;
  const auto value = word_of(line.substr(colon + 2), "granted=");
  if (!value || (*value != "true" && *value != "false")) return std::nullopt;
  return AppPermission{std::string(line.substr(0, colon)), *value == "true"};
}

// Reads the description of one package, line by line.
class AppReader {
 public:
  AppReader(std::string_view package, int user)
      : package_(package), user_("User " + std::to_string(user) + ":") {}

  void read(std::string_view line) {
    const std::size_t depth = indentation(line);
    const std::string_view text = trimmed(line);
    if (text.empty()) return;
    if (depth == 0) hidden_ = !text.starts_with("Packages:");
    if (text.starts_with("Package [")) begin(text);
    if (!inside_ || hidden_) return;
    if (text.starts_with("User ")) begin_user(text, depth);
    if (in_permissions_ && depth > permissions_depth_) {
      read_granted(text);
      return;
    }
    in_permissions_ = false;
    if (text == "runtime permissions:") {
      in_permissions_ = is_the_user_;
      permissions_depth_ = depth;
      return;
    }
    // Since Android 14 each user has times of their own.
    if (!in_user_ || is_the_user_) read_package_line(text);
  }

  [[nodiscard]] std::optional<AppFacts> result() && {
    return found_ && installed_ ? std::optional(std::move(facts_)) : std::nullopt;
  }

 private:
  void begin(std::string_view text) {
    const std::string_view name = text.substr(text.find('[') + 1);
    inside_ =
        !hidden_ && !found_ && name.substr(0, std::min(name.find(']'), name.size())) == package_;
    found_ = found_ || inside_;
    in_user_ = is_the_user_ = in_permissions_ = false;
  }

  void begin_user(std::string_view text, std::size_t depth) {
    if (in_permissions_ && depth > permissions_depth_) return;
    in_user_ = true;
    in_permissions_ = false;
    is_the_user_ = text.starts_with(user_);
    if (!is_the_user_) return;
    const auto flag = [&](std::string_view key) { return word_of(text, key); };
    if (const auto installed = flag("installed=")) installed_ = *installed == "true";
    if (const auto stopped = flag("stopped=")) facts_.stopped = *stopped == "true";
    // 0 is the manifest's default, 1 enabled; the others are ways of being disabled.
    if (const auto enabled = number_of(text, "enabled=")) facts_.enabled = *enabled <= 1;
  }

  void read_granted(std::string_view text) {
    if (auto permission = read_permission(text))
      facts_.permissions.push_back(*std::move(permission));
  }

  void read_package_line(std::string_view text) {
    read_number(text, "userId=", &facts_.uid);
    read_number(text, "appId=", &facts_.uid);
    read_number(text, "versionCode=", &facts_.version_code);
    read_number(text, "targetSdk=", &facts_.target_sdk);
    read_rest(text, "versionName=", &facts_.version_name);
    read_rest(text, "codePath=", &facts_.path);
    read_rest(text, "firstInstallTime=", &facts_.first_installed);
    read_rest(text, "lastUpdateTime=", &facts_.last_updated);
    if (text.starts_with("flags=[") || text.starts_with("pkgFlags=[")) {
      const std::string flags = " " + std::string(text.substr(text.find('[') + 1)) + " ";
      facts_.system = facts_.system || flags.contains(" SYSTEM ");
      facts_.debuggable = facts_.debuggable || flags.contains(" DEBUGGABLE ");
    }
  }

  std::string_view package_;
  std::string user_;
  AppFacts facts_;
  bool hidden_ = true, found_ = false, inside_ = false, installed_ = true;
  bool in_user_ = false, is_the_user_ = false, in_permissions_ = false;
  std::size_t permissions_depth_ = 0;
};

}  // namespace

std::vector<std::string> parse_package_list(std::string_view listing) {
  std::vector<std::string> names;
  while (!listing.empty()) {
    const std::string_view line = take_line(&listing);
    if (!line.starts_with(kPackagePrefix)) continue;
    const std::string_view name = trimmed(line.substr(kPackagePrefix.size()));
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::vector<AppRow> parse_app_rows(std::string_view listing) {
  std::vector<AppRow> rows;
  while (!listing.empty()) {
    const std::string_view line = take_line(&listing);
    if (!line.starts_with(kPackagePrefix)) continue;
    const std::string_view name = line.substr(kPackagePrefix.size());
    AppRow row{.package = std::string(name.substr(0, std::min(name.find(' '), name.size())))};
    row.version_code = number_of(line, "versionCode:");
    row.uid = number_of(line, "uid:");
    if (!row.package.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PackagePath> parse_package_paths(std::string_view listing) {
  std::vector<PackagePath> paths;
  while (!listing.empty()) {
    std::string_view line = take_line(&listing);
    if (!line.starts_with(kPackagePrefix)) continue;
    line.remove_prefix(kPackagePrefix.size());
    // The path may hold such a mark itself, a name never.
    const auto mark = line.rfind('=');
    if (mark == line.npos || mark == 0 || mark + 1 == line.size()) continue;
    paths.push_back({std::string(line.substr(mark + 1)), std::string(line.substr(0, mark))});
  }
  return paths;
}

std::vector<PackagePath> new_paths(const std::vector<PackagePath>& before,
                                   const std::vector<PackagePath>& after) {
  std::vector<PackagePath> fresh;
  for (const PackagePath& path : after) {
    if (std::ranges::find(before, path) == before.end()) fresh.push_back(path);
  }
  return fresh;
}

std::optional<AppFacts> parse_app_facts(std::string_view dumpsys, std::string_view package,
                                        int user) {
  AppReader reader(package, user);
  while (!dumpsys.empty()) {
    const auto end = std::min(dumpsys.find('\n'), dumpsys.size());
    reader.read(dumpsys.substr(0, end));
    dumpsys.remove_prefix(std::min(end + 1, dumpsys.size()));
  }
  return std::move(reader).result();
}

std::optional<bool> is_granted(const AppFacts& facts, std::string_view permission) {
  const auto found = std::ranges::find(facts.permissions, permission, &AppPermission::name);
  return found == facts.permissions.end() ? std::nullopt : std::optional(found->granted);
}

std::vector<std::int64_t> parse_process_ids(std::string_view printed) {
  std::vector<std::int64_t> ids;
  while (!printed.empty()) {
    const auto end = std::min(printed.find_first_of(kBlanks), printed.size());
    if (const auto id = whole_number<std::int32_t>(printed.substr(0, end)); id && *id > 0) {
      ids.push_back(*id);
    }
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  return ids;
}

namespace {

using namespace base::parallel;

constexpr int kListsVersionsSince = 28;  // Android 9

std::unexpected<Error> no_such_package(const AndroidServices& services,
                                       const std::string& package) {
  ErrorMembers details;
  const std::string& serial = services.device()->serial();
  details.text("deviceId", serial).text("package", package);
  return fail(errc::package_not_found, package + " is not installed on " + serial + ".",
              hint_and_details("List the apps: clawperator apps list" +
                                   target_flags(std::string(kReleaseOperatorPackage), serial),
                               details));
}

bool lists(std::string_view listing, const std::string& package) {
  const auto names = parse_package_list(listing);
  return std::ranges::find(names, package) != names.end();
}

Task<AppFacts> describe(AndroidServices* services, std::string package) {
  CO_TRY(const CommandOutput dumped,
         co_await run_on_device(services->device(), package_state_line(package)));
  co_return required(parse_app_facts(dumped.out, package, services->user()), "describe " + package,
                     dumped);
}

// Of an order that went out and was not answered, the end is not known.
Task<CommandOutput> order_package(AndroidServices* services, Words words) {
  co_return or_unknown_end(co_await services->order(AndroidService::package, std::move(words)));
}

asio::awaitable<Error> refusal(AndroidServices* services, std::string what, CommandOutput output) {
  co_return co_await with_vendor_hint(services->device(), refusal_error(what, output));
}

bool reports_success(const CommandOutput& output) {
  return adbproto::is_success(trimmed(output.out));
}

Task<std::set<std::string>> third_party_names(AndroidServices* services) {
  CO_TRY(const CommandOutput listing,
         co_await services->call(AndroidService::package,
                                 all_packages_words(services->user(), PackageKind::third_party)));
  const auto names = parse_package_list(listing.out);
  co_return std::set<std::string>(names.begin(), names.end());
}

Task<std::vector<PackagePath>> read_paths(AndroidServices* services) {
  CO_TRY(const CommandOutput listing,
         co_await services->call(AndroidService::package, package_paths_words(services->user())));
  co_return parse_package_paths(listing.out);
}

// The device's own verdict, or the reason why there is none.
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
    Error refused{errc::refused, one_message(error.message())};
    co_return std::unexpected(co_await with_vendor_hint(device, std::move(refused)));
  }
  co_return std::unexpected(all_sent ? unknown_end(error) : error);
}

}  // namespace

Task<void> require_package(AndroidServices* services, std::string package) {
  CO_TRY(const CommandOutput listing, co_await list_matching(services, package));
  if (lists(listing.out, package)) co_return ok();
  co_return no_such_package(*services, package);
}

Task<std::vector<std::string>> list_packages(adbproto::Device* device, PackageKind kind) {
  AndroidServices services(device);
  CO_TRY(const int user, co_await services.find_user());
  CO_TRY(const auto listing,
         co_await services.call(AndroidService::package, all_packages_words(user, kind)));
  co_return parse_package_list(listing.out);
}

Task<std::vector<std::string>> list_launchable(adbproto::Device* device) {
  AndroidServices services(device);
  const auto printed = co_await services.call(AndroidService::package, launcher_activities_words());
  if (!printed && ends_everything(printed.error())) co_return std::unexpected(printed.error());
  auto packages = read_launcher_packages(printed ? printed->out : "");
  if (packages.empty()) {
    CO_TRY(packages, co_await list_packages(device, PackageKind::all));
    std::ranges::sort(packages);
  }
  co_return packages;
}

Task<std::vector<ListedApp>> list_apps(adbproto::Device* device, PackageKind kind) {
  AndroidServices services(device);
  const auto [sdk, user] = co_await (read_sdk(device) && services.find_user());
  CO_TRY_VOID(sdk);
  CO_TRY_VOID(user);
  Words words = *sdk >= kListsVersionsSince ? packages_in_detail_words(*user, kind)
                                            : all_packages_words(*user, kind);
  const auto [listing, others] = co_await (
      services.call(AndroidService::package, std::move(words)) && third_party_names(&services));
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

Task<ReadBack> clear_app(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, package));
  CO_TRY(const CommandOutput done,
         co_await order_package(&services, clear_data_words(services.user(), package)));
  if (reports_success(done)) co_return ReadBack::changed;
  co_return std::unexpected(
      co_await refusal(&services, "the data of " + package + " was not cleared", done));
}

Task<ReadBack> uninstall_app(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, package));
  CO_TRY(const CommandOutput done,
         co_await order_package(&services, uninstall_words(services.user(), package)));
  if (!reports_success(done)) {
    co_return std::unexpected(co_await refusal(&services, package + " was not uninstalled", done));
  }
  const auto listing = co_await services.call(AndroidService::package,
                                              list_packages_words(services.user(), package));
  if (!listing) co_return std::unexpected(unknown_end(listing.error()));
  if (!lists(listing->out, package)) co_return ReadBack::changed;
  co_return not_confirmed(
      "The device reported \"Success\", but " + package + " is still installed.", device->serial(),
      ErrorMembers().text("package", package));
}

Task<ReadBack> change_permission(adbproto::Device* device, PermissionChange change) {
  AndroidServices services(device);
  CO_TRY_VOID(co_await require_package(&services, change.package));
  CO_TRY(const AppFacts before, co_await describe(&services, change.package));
  if (is_granted(before, change.permission) == change.grant) co_return ReadBack::unchanged;
  Words words = change.grant ? grant_words(services.user(), change.package, change.permission)
                             : revoke_words(services.user(), change.package, change.permission);
  CO_TRY(const CommandOutput done, co_await order_package(&services, std::move(words)));
  const std::string what = change.permission + " was not " + (change.grant ? "granted" : "revoked");
  // It is silent where it worked.
  if (done.exit_status != 0 || !trimmed(done.text()).empty()) {
    co_return std::unexpected(co_await refusal(&services, what, done));
  }
  CO_TRY(const AppFacts after, or_unknown_end(co_await describe(&services, change.package)));
  const auto granted = is_granted(after, change.permission);
  if (granted == change.grant) co_return ReadBack::changed;
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
  installed.effect = ReadBack::changed;
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
