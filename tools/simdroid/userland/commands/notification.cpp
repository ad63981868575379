// cmd notification and cmd appops: notification listeners, and what an app may do.
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {

namespace {

constexpr int kListenersByCommand = 27;
constexpr int kRestrictedSettings = 33;

// The allowed listeners are also written to the setting, for programs that still read it there.
void mirror_listeners(Phone* phone) {
  std::string list;
  for (const std::string& component : phone->notification_listeners) {
    list.append(list.empty() ? "" : ":").append(component);
  }
  (*phone->settings.table("secure"))["enabled_notification_listeners"] = std::move(list);
}

}  // namespace

Task<int> unknown_verb(Process* process, std::string verb) {
  CO_TRY_VOID(co_await print(process, "Unknown command: " + verb + "\n"));
  co_return 255;
}

// allow_listener|disallow_listener COMPONENT [USER]
Task<int> run_notification(Process* process) {
  Phone* phone = process->phone;
  const std::string verb = process->arg(1);
  const bool allows = verb == "allow_listener";
  if ((!allows && verb != "disallow_listener") || phone->sdk() < kListenersByCommand) {
    co_return co_await unknown_verb(process, verb);
  }
  const auto components = listed_components(process->arg(2));
  if (components.size() != 1) {
    CO_TRY_VOID(co_await print(process, "Invalid listener - must be a ComponentName\n"));
    co_return 255;
  }
  if (phone->faults.active(Fault::shell_restricted)) {
    co_return co_await refuse_shell(process, verb, "Caller not system or phone or shell");
  }
  if (!allows) {
    phone->notification_listeners.erase(components.front());
  } else {
    phone->notification_listeners.insert(components.front());
  }
  mirror_listeners(phone);
  co_return 0;
}

// set|get [--user USER] PACKAGE OP [MODE]
Task<int> run_appops(Process* process) {
  Phone* phone = process->phone;
  std::vector<std::string> args = process->args_from(1);
  const auto user = std::ranges::find(args, "--user");
  if (user != args.end()) args.erase(user, user + std::min<std::ptrdiff_t>(2, args.end() - user));
  args.resize(std::max<std::size_t>(args.size(), 4));
  if (args[0] != "set" && args[0] != "get") co_return co_await unknown_verb(process, args[0]);
  if (args[2] == "ACCESS_RESTRICTED_SETTINGS" && phone->sdk() < kRestrictedSettings) {
    co_return co_await give_up(process, "Error: Unknown operation string: " + args[2] + "\n", 255);
  }
  Package* package = phone->packages->find(args[1]);
  if (package == nullptr) {
    co_return co_await give_up(process, "Error: No UID for " + args[1] + " in user 0\n", 255);
  }
  if (args[0] == "set") {
    package->app_ops[args[2]] = args[3];
    co_return 0;
  }
  const auto mode = package->app_ops.find(args[2]);
  const bool none = mode == package->app_ops.end();
  // The default is to allow; an app that the installer marks gets a mode of its own.
  CO_TRY_VOID(co_await print(process, none ? "No operations.\nDefault mode: allow\n"
                                           : args[2] + ": " + mode->second + "\n"));
  co_return 0;
}

}  // namespace simdroid
