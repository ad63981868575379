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

// Whether the setting was kept: a fault may keep it as it was.
void put_global(Phone* phone, const std::string& key, std::string value) {
  const Faults& faults = phone->faults;
  if (faults.active(Fault::setting_ignored) && faults.text(Fault::setting_ignored) == key) return;
  (*phone->settings.table("global"))[key] = std::move(value);
}

// 2 is Wi-Fi in spite of airplane mode.
void switch_wifi(Phone* phone, bool on) {
  const bool airplane = phone->settings.get("global", "airplane_mode_on") == "1";
  put_global(phone, "wifi_on", !on ? "0" : airplane ? "2" : "1");
}

// cmd wifi set-wifi-enabled enabled|disabled, since Android 11
Task<int> run_wifi(Process* process) {
  const std::string& how = process->arg(2);
  if (process->arg(1) != "set-wifi-enabled") {
    co_return co_await unknown_verb(process, process->arg(1));
  }
  if (how != "enabled" && how != "disabled") {
    co_return co_await give_up(
        process, "Invalid args for set-wifi-enabled: java.lang.IllegalArgumentException\n", 255);
  }
  switch_wifi(process->phone, how == "enabled");
  co_return 0;
}

// cmd connectivity airplane-mode [enable|disable], since Android 10
Task<int> run_connectivity(Process* process) {
  Phone* phone = process->phone;
  const std::string& how = process->arg(2);
  if (process->arg(1) != "airplane-mode") {
    co_return co_await unknown_verb(process, process->arg(1));
  }
  if (how.empty()) {
    const bool on = phone->settings.get("global", "airplane_mode_on") == "1";
    CO_TRY_VOID(co_await print(process, on ? "enabled\n" : "disabled\n"));
    co_return 0;
  }
  if (how != "enable" && how != "disable") {
    co_return co_await give_up(process, "Unknown argument: " + how + "\n", 255);
  }
  const bool on = how == "enable";
  put_global(phone, "airplane_mode_on", on ? "1" : "0");
  const std::string wifi = phone->settings.get("global", "wifi_on");
  // 3: off for its sake, and on again after it.
  if (on && wifi == "1") put_global(phone, "wifi_on", "3");
  if (!on && (wifi == "3" || wifi == "2")) put_global(phone, "wifi_on", "1");
  co_return 0;
}

void move_shade(Phone* phone, bool down) {
  if (down) {
    phone->ui().show_shade(shade_screen(phone->notifications));
  } else {
    phone->ui().hide_shade();
  }
}

// cmd statusbar expand-notifications|expand-settings|collapse, since Android 8. The quick settings
// are a part of the shade, which the simulated phone shows without them.
Task<int> run_statusbar(Process* process) {
  constexpr int kShadeVerbs = 26;
  const std::string& verb = process->arg(1);
  if (process->phone->sdk() < kShadeVerbs) {
    co_return co_await give_up(process, "No shell command implementation.\n", 0);
  }
  const bool down = verb == "expand-notifications" || verb == "expand-settings";
  if (!down && verb != "collapse") co_return co_await unknown_verb(process, verb);
  move_shade(process->phone, down);
  co_return 0;
}

// service call statusbar 1|2: expandNotificationsPanel, collapsePanels
Task<int> run_service_program(Process* process) {
  const std::string& code = process->arg(3);
  if (process->arg(1) != "call" || process->arg(2) != "statusbar" || (code != "1" && code != "2")) {
    co_return not_known(*process, process->arg(2));
  }
  move_shade(process->phone, code == "1");
  CO_TRY_VOID(co_await print(process, "Result: Parcel(00000000    '....')\n"));
  co_return 0;
}

constexpr CommandEntry kServices[] = {
    {"statusbar", run_statusbar},
    {"connectivity", run_connectivity},
    {"wifi", run_wifi},
    {"activity", run_activity},
    {"appops", run_appops},
    {"input", run_input_service},
    {"notification", run_notification},
    {"package", run_package},
    {"power", run_power},
    {"settings", run_settings},
    {"window", run_window},
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
  const bool on = how == "enable";
  if ((what == "wifi" || what == "data" || what == "bluetooth") && (on || how == "disable")) {
    if (what == "wifi") {
      switch_wifi(process->phone, on);
    } else {
      put_global(process->phone, what == "data" ? "mobile_data" : "bluetooth_on", on ? "1" : "0");
    }
    co_return 0;
  }
  co_return co_await give_up(process, "Available commands:\n    bluetooth\n    data\n    wifi\n",
                             255);
}

constexpr CommandEntry kServiceCommands[] = {
    {"cmd", run_cmd, &Latencies::cmd_service},
    {"svc", run_svc, &Latencies::app_process},
    {"service", run_service_program, &Latencies::cmd_service},
};

}  // namespace

std::span<const CommandEntry> service_commands() { return kServiceCommands; }

Task<int> run_service(Process* process) {
  std::string help;
  if (process->arg(1) == "help") help = service_help(process->arg(0), process->phone->sdk());
  if (!help.empty()) {
    CO_TRY_VOID(co_await print(process, std::move(help)));
    co_return 255;
  }
  const auto service = std::ranges::find(kServices, process->arg(0), &CommandEntry::name);
  struct Since {
    std::string_view service;
    int sdk;
  };
  constexpr Since kSince[] = {{"settings", 26}, {"connectivity", 29}, {"wifi", 30}};
  const auto since = std::ranges::find(kSince, process->arg(0), &Since::service);
  const bool old = since != std::end(kSince) && process->phone->sdk() < since->sdk;
  if (service == std::end(kServices) || old) {
    co_return co_await give_up(process, "cmd: Can't find service: " + process->arg(0) + "\n", 20);
  }
  process->phone->counters.add("service." + process->arg(0));
  co_return co_await service->run(process);
}

}  // namespace simdroid
