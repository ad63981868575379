#include <algorithm>

#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"
#include "simdroid/userland/commands/intent.hpp"

namespace simdroid {
namespace {

// An app in the stopped state gets only intents that include such apps; such an intent ends the
// state.
bool wakes(Phone* phone, const Intent& intent, Package* package) {
  constexpr std::uint32_t kIncludeStopped = 0x20;
  const bool stopped = package->stopped || phone->faults.active(Fault::package_stopped);
  if (stopped && (intent.flags & kIncludeStopped) == 0) return false;
  package->stopped = false;
  [[maybe_unused]] const auto cleared = phone->faults.clear("package-stopped");
  if (!phone->faults.active(Fault::autostart_guard)) return true;
  phone->log_system("ActivityManager", LogPriority::warn,
                    package->name + " is not permitted to autostart for " + intent.to_string());
  return false;
}

// The text behind "Broadcasting: ".
std::string outcome_of_broadcast(const Phone& phone) {
  if (!phone.faults.active(Fault::broadcast_says)) return "Broadcast completed: result=0\n";
  return phone.faults.text(Fault::broadcast_says) + "\n";
}

bool receives(const Intent& intent, std::string_view package) {
  if (intent.action != names_of_package(package)->action) return false;
  if (!intent.package.empty() && intent.package != package) return false;
  return intent.component.empty() || intent.component.starts_with(std::string(package) + "/");
}

Task<int> broadcast_refused(Process* process) {
  const std::string text = process->phone->faults.text(Fault::broadcast_refused);
  co_return co_await give_up(process, text + "\n");
}

// Errors go to stdout where the caller waits. Their status is 0 until Android 11, as for a success.
Task<int> start_failed(Process* process, const Intent* intent) {
  constexpr int kStatusSince = 31;
  const int status = process->phone->sdk() < kStatusSince ? 0 : 1;
  const std::string component = intent->component;
  const std::string text =
      component.empty()
          ? "Error: Activity not started, unable to resolve " + intent->to_string() + "\n"
          : "Error type 3\nError: Activity class {" + component + "} does not exist.\n";
  if (!intent->wait) co_return co_await give_up(process, text, status);
  CO_TRY_VOID(co_await print(process, text));
  co_return status;
}

// True when something came to the front.
bool start(Phone* phone, const Intent& intent) {
  UiWorld& ui = phone->ui();
  const std::size_t slash = intent.component.find('/');
  if (slash != std::string::npos) {
    const std::string package = intent.component.substr(0, slash);
    const std::string activity = intent.component.substr(slash + 1);
    Package* installed = phone->packages->find(package);
    if (installed == nullptr) return false;
    installed->stopped = false;
    const OperatorNames* names = names_of_package(package);
    if (names != nullptr && package == names->package) {
      for (const char* fault : {"package-stopped", "autostart-guard"}) {
        [[maybe_unused]] const auto cleared = phone->faults.clear(fault);
      }
    }
    if (names != nullptr && activity == names->activity()) return true;
    // As a launcher starts it: the task that there is comes to the front.
    const bool from_launcher =
        std::ranges::find(intent.categories, "android.intent.category.LAUNCHER") !=
        intent.categories.end();
    const std::string full = activity.starts_with('.') ? package + activity : activity;
    if (from_launcher && full == ui.launch_activity(package)) return ui.open_app(package);
    return ui.open_activity(package, activity);
  }
  if (!intent.data.empty()) return ui.open_uri(intent.data, intent.package);
  if (intent.action == "android.settings.SETTINGS") return ui.open_app("com.android.settings");
  return !intent.package.empty() && ui.open_app(intent.package);
}

Task<int> run_start(Process* process) {
  const auto intent = parse_intent(process->args, 2);
  if (!intent) co_return co_await give_up(process, "Error: " + intent.error().message() + "\n");
  CO_TRY_VOID(co_await print(process, "Starting: " + intent->to_string() + "\n"));
  const Faults& faults = process->phone->faults;
  if (faults.active(Fault::start_refused)) {
    co_return co_await refuse_shell(process, "start", faults.text(Fault::start_refused));
  }
  const bool started = start(process->phone, *intent);
  if (!started) co_return co_await start_failed(process, &*intent);
  process->phone->log_system("ActivityTaskManager", LogPriority::info,
                             "START u0 " + intent->to_string() + " from uid 2000");
  if (!intent->wait) co_return 0;
  co_await process->phone->spend(process->phone->costs.launch);
  const UiWorld& ui = process->phone->ui();
  CO_TRY_VOID(co_await print(
      process, "Status: ok\nLaunchState: COLD\nActivity: " + std::string(ui.foreground_package()) +
                   "/" + std::string(ui.foreground_activity()) +
                   "\nTotalTime: 0\nWaitTime: 0\nComplete\n"));
  co_return 0;
}

Task<int> run_force_stop(Process* process) {
  Phone* phone = process->phone;
  const std::string& package = process->args.back();
  if (process->count() < 3)
    co_return co_await give_up(process, "Error: Argument expected after \"force-stop\"\n", 255);
  phone->counters.add("force_stop");
  phone->ui().force_stop(package);
  phone->operators.kill(package);
  phone->accessibility.force_stopped(package);
  if (Package* installed = phone->packages->find(package)) installed->stopped = true;
  co_return 0;
}

// 0: it does not run. An app that was opened has no row of its own in the table.
int pid_of_app(Phone* phone, const std::string& package) {
  const int pid = phone->processes.pid_of(package);
  if (pid != 0 || phone->ui().task_package() != package) return pid;
  const int fresh = phone->processes.add({"u0_a120", package, {}});
  phone->processes.remove(fresh);
  return fresh;
}

// The log lines of the system and the runtime about an app that the shell has crashed.
void log_crash(Phone* phone, const std::string& package) {
  constexpr int kOwnException = 31;
  const int pid = pid_of_app(phone, package);
  if (pid == 0) return;
  const bool own = phone->sdk() >= kOwnException;
  const std::string exception =
      std::string("android.app.RemoteServiceException") + (own ? "$CrashedByAdbException" : "");
  const auto write = [&](LogBufferId buffer, int by, LogPriority priority, const char* tag,
                         std::string message) {
    phone->log.append({buffer, by, static_cast<std::uint32_t>(by), 1000, phone->clock.now(),
                       priority, tag, std::move(message)});
  };
  write(LogBufferId::crash, pid, LogPriority::error, "AndroidRuntime",
        "FATAL EXCEPTION: main\nProcess: " + package + ", PID: " + std::to_string(pid) + "\n" +
            exception + ": shell-induced crash\n\tat android.app.ActivityThread.throwRemote(" +
            "ActivityThread.java:1986)\n\tat android.os.Looper.loop(Looper.java:313)");
  constexpr int kSystem = 1208;
  write(LogBufferId::events, kSystem, LogPriority::info, "am_crash",
        "[0," + std::to_string(pid) + "," + package + ",545832518," + exception +
            ",shell-induced crash,ActivityThread.java,1986" + (own ? ",0]" : "]"));
}

Task<int> run_crash(Process* process) {
  const std::string& package = process->args.back();
  if (process->count() < 3) {
    co_return co_await give_up(process, "Error: Argument expected after \"crash\"\n", 255);
  }
  log_crash(process->phone, package);
  process->phone->ui().force_stop(package);  // the system finishes the activity in front of it
  process->phone->operators.kill(package);
  process->phone->accessibility.process_died(package);
  co_return 0;
}

Task<int> run_monkey(Process* process) {
  std::string package;
  for (std::size_t i = 1; i + 1 < process->count(); ++i) {
    if (process->arg(i) == "-p") package = process->arg(i + 1);
  }
  if (package.empty() || !process->phone->ui().open_app(package)) {
    co_return co_await give_up(process, "** No activities found to run, monkey aborted.\n", 252);
  }
  CO_TRY_VOID(co_await print(process,
                             "Events injected: 1\n## Network stats: elapsed time=10ms "
                             "(0ms mobile, 0ms wifi, 10ms not connected)\n"));
  co_return 0;
}

constexpr CommandEntry kActivityCommands[] = {
    {"am", run_activity, &Latencies::app_process},
    {"monkey", run_monkey, &Latencies::app_process},
};

}  // namespace

std::span<const CommandEntry> activity_commands() { return kActivityCommands; }

Task<int> run_broadcast(Process* process, std::size_t from) {
  Phone* phone = process->phone;
  phone->counters.add("broadcast");
  auto intent = parse_intent(process->args, from);
  if (!intent)
    co_return co_await give_up(process, "Error: " + intent.error().message() + "\n", 255);
  if (phone->faults.active(Fault::broadcast_refused)) co_return co_await broadcast_refused(process);
  if (phone->faults.active(Fault::broadcast_hangs)) co_await sleep_for(std::chrono::hours(24));
  constexpr std::uint32_t kReceiverFromShell = 0x00400000;
  intent->flags |= kReceiverFromShell;
  const bool silent = phone->faults.active(Fault::broadcast_says) &&
                      phone->faults.text(Fault::broadcast_says) == "-";
  if (!silent) {
    CO_TRY_VOID(co_await print(process, "Broadcasting: " + intent->to_string() + "\n"));
  }
  if (phone->faults.active(Fault::clock_back)) {
    phone->clock.correct(-std::chrono::seconds(phone->faults.number(Fault::clock_back)));
  }
  if (!phone->faults.active(Fault::broadcast_dropped)) {
    for (const std::string_view package : operator_packages()) {
      const auto payload = intent->extras.find("payload");
      Package* installed = phone->packages->find(package);
      if (!receives(*intent, package) || installed == nullptr) continue;
      if (!wakes(phone, *intent, installed)) continue;
      phone->operators.deliver(std::string(package),
                               payload == intent->extras.end() ? "" : payload->second);
    }
  }
  if (!silent) CO_TRY_VOID(co_await print(process, outcome_of_broadcast(*phone)));
  co_return 0;
}

Task<int> run_activity(Process* process) {
  constexpr int kWholeActivityService = 26;
  const std::string& verb = process->arg(1);
  const bool old = process->arg(0) == "activity" && process->phone->sdk() < kWholeActivityService;
  if (old && verb != "force-stop" && verb != "kill") co_return co_await unknown_verb(process, verb);
  if (verb == "broadcast") co_return co_await run_broadcast(process, 2);
  if (verb == "start" || verb == "start-activity") co_return co_await run_start(process);
  if (verb == "force-stop") co_return co_await run_force_stop(process);
  if (verb == "kill") co_return 0;  // processes in the background only; a bound service is not
  if (verb == "crash") co_return co_await run_crash(process);
  if (verb == "get-current-user") {
    CO_TRY_VOID(co_await print(process, std::to_string(current_user(*process->phone)) + "\n"));
    co_return 0;
  }
  if (verb.empty())
    co_return co_await give_up(process, "Activity manager (activity) commands:\n", 255);
  co_return co_await unknown_verb(process, verb);
}

}  // namespace simdroid
