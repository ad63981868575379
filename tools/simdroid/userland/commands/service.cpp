#include <algorithm>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

Task<int> run_power(Process* process) {
  const std::string& verb = process->arg(1);
  UiWorld& ui = process->phone->ui();
  if (verb == "wakeup") {
    ui.set_awake(true);
  } else if (verb == "sleep") {
    ui.set_awake(false);
  } else {
    co_return co_await give_up(process, "Unknown command: " + verb + "\n", 255);
  }
  co_return 0;
}

constexpr CommandEntry kServices[] = {
    {"activity", run_activity},         {"appops", run_appops},   {"input", run_input_service},
    {"notification", run_notification}, {"package", run_package}, {"power", run_power},
    {"settings", run_settings},         {"window", run_window},
};

Task<int> run_cmd(Process* process) {
  process->args.erase(process->args.begin());
  if (process->args.empty()) co_return co_await give_up(process, "cmd: No service specified\n", 20);
  co_return co_await run_service(process);
}

// svc wifi enable, svc data disable, ...
Task<int> run_svc(Process* process) {
  const std::string& what = process->arg(1);
  const std::string& how = process->arg(2);
  Settings::Table& global = *process->phone->settings.table("global");
  if ((what == "wifi" || what == "data" || what == "bluetooth") &&
      (how == "enable" || how == "disable")) {
    global[what + "_on"] = how == "enable" ? "1" : "0";
    co_return 0;
  }
  co_return co_await give_up(process, "Available commands:\n    bluetooth\n    data\n    wifi\n",
                             255);
}

constexpr CommandEntry kServiceCommands[] = {
    {"cmd", run_cmd, &Latencies::cmd_service},
    {"svc", run_svc, &Latencies::app_process},
};

}  // namespace

std::span<const CommandEntry> service_commands() { return kServiceCommands; }

Task<int> run_service(Process* process) {
  const auto service = std::ranges::find(kServices, process->arg(0), &CommandEntry::name);
  constexpr int kSettingsService = 26;
  const bool old = process->phone->sdk() < kSettingsService && process->arg(0) == "settings";
  if (service == std::end(kServices) || old) {
    co_return co_await give_up(process, "cmd: Can't find service: " + process->arg(0) + "\n", 20);
  }
  process->phone->counters.add("service." + process->arg(0));
  co_return co_await service->run(process);
}

}  // namespace simdroid
