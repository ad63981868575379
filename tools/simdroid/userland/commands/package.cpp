#include <algorithm>

#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {
namespace {

constexpr int kNotificationPermission = 33;
// Before, only the program `pm` had the verbs that install and list nothing.
constexpr int kWholePackageService = 28;
constexpr int kResolvesActivities = 26;

struct Owner {
  int since;  // the API level
  std::string_view line;
};
// The flags grew with the releases: kinds of users in Android 11, the main user in 14.
constexpr Owner kOwners[] = {{0, "\tUserInfo{0:Owner:13} running\n"},
                             {30, "\tUserInfo{0:Owner:c13} running\n"},
                             {34, "\tUserInfo{0:Owner:4c13} running\n"}};

// The name and flags that makers give the users that the shell may not touch.
std::string hidden_user(const Phone& phone) {
  const std::string number = std::to_string(phone.faults.number(Fault::second_user));
  return "\tUserInfo{" + number +
         (phone.kind().manufacturer == "Xiaomi" ? ":XSpace:801010" : ":Secure Folder:10061030") +
         "} running\n";
}

Task<int> list_users(Process* process) {
  const Phone& phone = *process->phone;
  std::string text = "Users:\n";
  std::string_view owner;
  for (const Owner& each : kOwners) {
    if (phone.sdk() >= each.since) owner = each.line;
  }
  text += owner;
  if (const int front = current_user(phone); front != 0) {
    text += "\tUserInfo{" + std::to_string(front) + ":Guest:410} running\n";
  }
  if (phone.faults.active(Fault::second_user)) text += hidden_user(phone);
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_list(Process* process) {
  const bool old = process->arg(0) == "package" && process->phone->sdk() < kWholePackageService;
  if (process->arg(2) == "users" && !old) co_return co_await list_users(process);
  if (process->arg(2) != "packages" && process->arg(2) != "package") {
    co_return co_await give_up(process, "Error: unknown list type '" + process->arg(2) + "'\n",
                               255);
  }
  co_return co_await list_packages(process);
}

Task<int> run_path(Process* process) {
  const Package* package = process->phone->packages->find(process->args.back());
  if (package == nullptr) co_return 1;
  CO_TRY_VOID(co_await print(process, "package:" + package->apk_path() + "\n"));
  co_return 0;
}

Task<int> run_grant(Process* process) {
  const std::string verb = process->arg(1);
  std::size_t at = 2;
  if (process->arg(at) == "--user") at += 2;
  const std::string& permission = process->arg(at + 1);
  Package* package = process->phone->packages->find(process->arg(at));
  if (package == nullptr) {
    co_return co_await throw_exception(
        process, {verb, "IllegalArgumentException", "Unknown package: " + process->arg(at)});
  }
  const bool newer = permission == "android.permission.POST_NOTIFICATIONS" &&
                     process->phone->sdk() < kNotificationPermission;
  if (!permission.starts_with("android.permission.") || newer) {
    co_return co_await throw_exception(
        process, {verb, "IllegalArgumentException", "Unknown permission: " + permission});
  }
  const Faults& faults = process->phone->faults;
  if (verb == "grant" && faults.active(Fault::grant_refused)) {
    co_return co_await refuse_shell(process, verb, faults.text(Fault::grant_refused));
  }
  if (faults.active(Fault::shell_restricted)) {
    co_return co_await refuse_shell(
        process, verb,
        verb +
            "RuntimePermission: Neither user 2000 nor current process has "
            "android.permission.GRANT_RUNTIME_PERMISSIONS.");
  }
  const auto runtime = runtime_permissions(process->phone->sdk());
  if (permission == "android.permission.INTERNET") {
    co_return co_await throw_exception(
        process, {verb, "SecurityException",
                  "Permission " + permission + " requested by " + package->name +
                      " is not a changeable permission type"});
  }
  if (std::ranges::find(runtime, permission) == runtime.end()) {
    co_return co_await throw_exception(
        process, {verb, "SecurityException",
                  "Package " + package->name + " has not requested permission " + permission});
  }
  if (faults.active(Fault::setting_ignored) && faults.text(Fault::setting_ignored) == permission) {
    co_return 0;
  }
  if (verb == "grant") package->granted.insert(permission);
  if (verb == "revoke") package->granted.erase(permission);
  co_return 0;
}

// pm clear [--user N] PACKAGE
Task<int> run_clear(Process* process) {
  Phone* phone = process->phone;
  Package* package = phone->packages->find(process->args.back());
  if (package == nullptr) co_return co_await give_up(process, "Failed\n");
  if (phone->faults.active(Fault::shell_restricted) && phone->kind().manufacturer == "OPPO") {
    co_return co_await refuse_shell(process, "clear", "adb clearing user data is forbidden.");
  }
  phone->ui().force_stop(package->name);
  phone->operators.kill(package->name);
  phone->accessibility.force_stopped(package->name);
  package->granted.clear();
  package->app_ops.clear();
  package->stopped = true;
  CO_TRY_VOID(co_await print(process, "Success\n"));
  co_return 0;
}

// Android forgets the services of an app that is gone.
void forget_services(Phone* phone, std::string_view package) {
  Settings::Table& secure = *phone->settings.table("secure");
  for (const char* key : {"enabled_accessibility_services", "enabled_notification_listeners"}) {
    std::string kept;
    std::string_view left = secure[key];
    while (!left.empty()) {
      const auto end = left.find(':');
      const std::string_view entry = left.substr(0, end);
      left = end == left.npos ? std::string_view{} : left.substr(end + 1);
      if (entry.substr(0, entry.find('/')) == package) continue;
      kept.append(kept.empty() ? "" : ":").append(entry);
    }
    secure[key] = std::move(kept);
  }
}

Task<int> run_uninstall(Process* process) {
  const std::string& name = process->args.back();
  const Package* package = process->phone->packages->find(name);
  if (package == nullptr || package->system) {
    CO_TRY_VOID(co_await print(process, package == nullptr
                                            ? "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
                                            : "Failure [DELETE_FAILED_USER_RESTRICTED]\n"));
    co_return 1;
  }
  const std::string gone = name;
  process->phone->operators.kill(gone);
  process->phone->accessibility.force_stopped(gone);
  process->phone->packages->uninstall(gone);
  process->phone->ui().uninstall(gone);
  forget_services(process->phone, gone);
  CO_TRY_VOID(co_await print(process, "Success\n"));
  co_return 0;
}

// Two lines; empty where no launcher shows the package.
std::string launcher_entry(const Process& process, const std::string& package,
                           const std::string& indent) {
  const std::string activity = process.phone->ui().launch_activity(package);
  const Package* installed = process.phone->packages->find(package);
  if (installed == nullptr || activity.empty()) return {};
  const std::string name =
      activity.starts_with(package + ".") ? activity.substr(package.size()) : activity;
  return indent +
         "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "
         "isDefault=true\n" +
         indent + package + "/" + name + "\n";
}

// resolve-activity --brief ... PACKAGE, of the launcher's entries.
Task<int> run_resolve(Process* process) {
  const std::string entry = launcher_entry(*process, process->args.back(), "");
  CO_TRY_VOID(co_await print(process, entry.empty() ? "No activity found\n" : entry));
  co_return 0;
}

// query-activities --brief ..., of the launcher's entries.
Task<int> run_query(Process* process) {
  std::string entries;
  int count = 0;
  for (const Package* package : process->phone->packages->all()) {
    const std::string entry = launcher_entry(*process, package->name, "    ");
    if (!entry.empty()) entries += "  Activity #" + std::to_string(count++) + ":\n" + entry;
  }
  CO_TRY_VOID(co_await print(
      process, count == 0 ? "No activities found\n"
                          : std::to_string(count) + " activities found:\n" + entries));
  co_return 0;
}

constexpr CommandEntry kPackageCommands[] = {{"pm", run_package, &Latencies::app_process}};

}  // namespace

std::span<const CommandEntry> package_commands() { return kPackageCommands; }

Task<int> run_package(Process* process) {
  const std::string& verb = process->arg(1);
  const bool old = process->arg(0) == "package" && process->phone->sdk() < kWholePackageService;
  if (verb == "resolve-activity" && process->phone->sdk() >= kResolvesActivities) {
    co_return co_await run_resolve(process);
  }
  if (verb == "query-activities" && process->phone->sdk() >= kResolvesActivities) {
    co_return co_await run_query(process);
  }
  const bool always = verb == "list" || verb == "uninstall" || verb.starts_with("install");
  if (old && !always) co_return co_await unknown_verb(process, verb);
  if (verb == "list") co_return co_await run_list(process);
  if (verb == "path") co_return co_await run_path(process);
  if (verb == "grant" || verb == "revoke") co_return co_await run_grant(process);
  if (verb == "clear") co_return co_await run_clear(process);
  if (verb == "uninstall") co_return co_await run_uninstall(process);
  if (verb.starts_with("install")) co_return co_await run_install(process);
  if (verb.empty())
    co_return co_await give_up(process, "Package manager (package) commands:\n", 255);
  co_return co_await unknown_verb(process, verb);
}

}  // namespace simdroid
