#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxSettings = 2000;

bool is_boot_property(std::string_view name) {
  return name == "sys.boot_completed" || name == "dev.bootcomplete";
}

Task<int> run_getprop(Process* process) {
  const Properties& properties = process->phone->properties;
  std::string text;
  if (process->count() > 1) {
    text = properties.get(process->arg(1));
    const bool booting = process->phone->faults.active(Fault::boot_unfinished);
    if (booting && is_boot_property(process->arg(1))) text = "0";
    if (text.empty()) text = process->arg(2);
    text += "\n";
  } else {
    for (const auto& [name, value] : properties.all()) text += "[" + name + "]: [" + value + "]\n";
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_setprop(Process* process) {
  if (process->count() < 3) {
    co_return co_await give_up(process, "setprop: Needs 2 arguments (see \"setprop --help\")\n");
  }
  const auto set = process->phone->properties.set(process->arg(1), process->arg(2));
  if (!set) co_return co_await give_up(process, set.error().message() + "\n");
  co_return 0;
}

Task<int> list(Process* process, const Settings::Table* table) {
  std::string text;
  for (const auto& [key, value] : *table) text += key + "=" + value + "\n";
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> get(Process* process, const Settings::Table* table, std::string key) {
  const auto at = table->find(key);
  CO_TRY_VOID(co_await print(process, at == table->end() ? "null\n" : at->second + "\n"));
  co_return 0;
}

constexpr CommandEntry kSettingsCommands[] = {
    {"settings", run_settings, &Latencies::cmd_service},
    {"getprop", run_getprop},
    {"setprop", run_setprop},
};

}  // namespace

std::span<const CommandEntry> settings_commands() { return kSettingsCommands; }

namespace {

bool is_accessibility(const std::string& key) {
  return key == kAccessibilityList || key == kAccessibilitySwitch;
}

Task<int> change(Process* process, Settings::Table* table, std::vector<std::string> args) {
  Phone* phone = process->phone;
  if (phone->faults.active(Fault::shell_restricted)) {
    co_return co_await refuse_shell(process, args[0],
                                    "Permission denial: writing to settings "
                                    "requires:android.permission.WRITE_SECURE_SETTINGS");
  }
  if (args[0] == "delete") {
    const auto erased = table->erase(args[2]);
    if (is_accessibility(args[2])) phone->accessibility.changed();
    CO_TRY_VOID(co_await print(process, "Deleted " + std::to_string(erased) + " rows\n"));
    co_return 0;
  }
  if (table->size() >= kMaxSettings) co_return co_await give_up(process, "Bad arguments\n", 255);
  const Faults& faults = phone->faults;
  if (faults.active(Fault::setting_ignored) && faults.text(Fault::setting_ignored) == args[2]) {
    co_return 0;
  }
  (*table)[args[2]] = args[3];
  if (is_accessibility(args[2])) phone->accessibility.changed();
  co_return 0;
}

}  // namespace

// settings [--user N] get|put|delete|list NAMESPACE [KEY [VALUE]]
Task<int> run_settings(Process* process) {
  std::vector<std::string> args = process->args_from(1);
  if (!args.empty() && args[0] == "--user")
    args.erase(args.begin(), args.begin() + std::min<std::ptrdiff_t>(2, std::ssize(args)));
  args.resize(std::max<std::size_t>(args.size(), 4));
  const std::string& verb = args[0];
  const bool known = verb == "get" || verb == "put" || verb == "delete" || verb == "list";
  if (!known) co_return co_await give_up(process, "Invalid command: " + verb + "\n", 255);
  Settings::Table* table = process->phone->settings.table(args[1]);
  if (table == nullptr) {
    co_return co_await give_up(process, "Invalid namespace '" + args[1] + "'\n", 255);
  }
  // The system rewrites its own settings.
  process->phone->accessibility.catch_up();
  if (verb == "list") co_return co_await list(process, table);
  if (args[2].empty()) co_return co_await give_up(process, "Bad arguments\n", 255);
  if (verb == "get") co_return co_await get(process, table, args[2]);
  co_return co_await change(process, table, args);
}

}  // namespace simdroid
