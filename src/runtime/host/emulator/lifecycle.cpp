#include "runtime/host/emulator/lifecycle.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>

#include "adbproto/client/server_address.hpp"
#include "base/error_members.hpp"
#include "base/system/child_process.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/errc.hpp"
#include "runtime/host/emulator/sdk_tools.hpp"

namespace clawperator {

namespace {

Error occupied(const RunningEmulator& emulator, const std::string& name) {
  const std::string& serial = emulator.row.serial;
  ErrorMembers details;
  details.text("avdName", name).text("serial", serial).text("state", emulator.row.state.text());
  const std::string what = emulator.avd_name == name
                               ? "Emulator " + name + " is already running as " + serial
                               : serial + " does not report its name; it may be emulator " + name;
  return {errc::emulator_already_running, what,
          hint_and_details("stop it first: clawperator emulator stop " +
                               (emulator.avd_name == name ? name : serial),
                           details)};
}

Error locked(const std::string& name, const AvdLock& lock) {
  ErrorMembers details;
  details.text("avdName", name).text("lockFile", lock.file.string()).number("pid", lock.holder);
  return {errc::emulator_already_running,
          "Emulator " + name + " is already running as process " + std::to_string(lock.holder),
          hint_and_details("close its window or end that process; it holds " + lock.file.string(),
                           details)};
}

}  // namespace

const RunningEmulator* in_the_way(const std::vector<RunningEmulator>& running,
                                  std::string_view name, Doubt doubt) {
  if (const RunningEmulator* same = find_by_name(running, name)) return same;
  return doubt == Doubt::respect ? find_by_name(running, "") : nullptr;
}

using std::chrono::milliseconds;
namespace fs = std::filesystem;

Task<void> require_idle(EmulatorHost host, std::string name, Doubt doubt) {
  CO_TRY(const auto running, co_await emulators_in_any_state(host.target));
  if (const RunningEmulator* emulator = in_the_way(running, name, doubt)) {
    co_return std::unexpected(occupied(*emulator, name));
  }
  if (const auto lock = held_lock(host.avds, name)) {
    co_return std::unexpected(locked(name, *lock));
  }
  co_return ok();
}

namespace {

constexpr auto kRegistrationLimit = milliseconds(60'000);  // the Node CLI's, which callers expect
constexpr auto kBootLimit = milliseconds(180'000);         // likewise; a cold boot takes minutes
constexpr auto kStopLimit = milliseconds(60'000);          // it may save its state first
constexpr auto kPollPause = milliseconds(250);             // an end or a boot is noticed this late
constexpr std::size_t kShownOfLog = 2000;

// One emulator that we started.
struct Launch {
  std::string name;
  pid_t pid = 0;
  fs::path log_file;
  std::string serial{};  // once it is known
};

ErrorMembers details_of(const Launch& launch) {
  ErrorMembers details;
  details.text("avdName", launch.name);
  if (!launch.serial.empty()) details.text("serial", launch.serial);
  details.text("logFile", launch.log_file.string());
  return details;
}

Error ended_early(const Launch& launch) {
  auto details = details_of(launch);
  details.text("output", tail_of_log(launch.log_file));
  return {errc::emulator_start_failed,
          "Emulator " + launch.name + " ended before it was ready; its output is in " +
              launch.log_file.string(),
          ErrorMembers().object("details", details).str()};
}

Error still_running(const Launch& launch, Errc code, const std::string& what) {
  return {code,
          what + "; emulator " + launch.name + " keeps running, its output is in " +
              launch.log_file.string(),
          hint_and_details("look again with: clawperator emulator status", details_of(launch))};
}

fs::path log_file_for(const fs::path& folder, const std::string& name) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  return folder / ("emulator-" + name + "-" + stamp + ".log");
}

// An emulator reports itself to the adb server on this computer, by the port alone.
std::vector<std::string> variables_for(const TargetOptions& target) {
  const auto server = adbproto::choose_server_address(
      target.adb_server, [](const char* name) { return environment_variable(name); });
  if (!server || !server->path.empty()) return {};
  return {"ANDROID_ADB_SERVER_PORT=" + std::to_string(server->port)};
}

Result<Launch> launch_emulator(const EmulatorHost& host, const std::string& name) {
  Launch launch{.name = name, .log_file = log_file_for(host.logs, name)};
  const auto program = find_sdk_tool(SdkTool::emulator).value_or("emulator").string();
  std::vector<std::string> words{program, "@" + name, "-no-snapshot-load", "-no-boot-anim"};
  // Where there is no display it would end at once.
  const bool has_display =
      environment_variable("DISPLAY") || environment_variable("WAYLAND_DISPLAY");
  if (!has_display) words.push_back("-no-window");
  const auto pid = start_detached({.words = std::move(words),
                                   .needed_variables = kSdkVariables,
                                   .variables = variables_for(host.target)},
                                  launch.log_file);
  if (!pid) {
    return fail_with(errc::emulator_start_failed,
                     "cannot start emulator " + name + ": " + pid.error().message(),
                     details_of(launch));
  }
  launch.pid = *pid;
  return launch;
}

bool is_there(const RunningEmulator&) { return true; }
bool has_booted(const RunningEmulator& emulator) { return emulator.booted; }

// By name, whatever the list calls it: a server that starts meanwhile numbers it anew. A list that
// cannot be read now may be there at the next look. `launch` is absent for an emulator that another
// program started.
Task<RunningEmulator> wait_for(TargetOptions target, std::string name, const Launch* launch,
                               bool (*is_enough)(const RunningEmulator&)) {
  for (;;) {
    const auto running = co_await emulators_in_any_state(target);
    if (!running && running.error().code() == errc::cancelled) {
      co_return std::unexpected(running.error());
    }
    const RunningEmulator* emulator = running ? find_by_name(*running, name) : nullptr;
    if (emulator && is_enough(*emulator)) co_return *emulator;
    if (launch && has_ended(launch->pid)) co_return std::unexpected(ended_early(*launch));
    co_await sleep_for(kPollPause);
  }
}

struct Limits {
  milliseconds registration;
  milliseconds boot;
};

Limits limits_of(const EmulatorHost& host) {
  if (!host.start_limit) return {kRegistrationLimit, kBootLimit};
  return {std::min(kRegistrationLimit, *host.start_limit), *host.start_limit};
}

// The limits of both phases; a time that was given is that of both together.
Task<RunningEmulator> wait_until_ready(const EmulatorHost* host, Launch* launch) {
  const Limits limits = limits_of(*host);
  const auto begun = Clock::now();
  const auto registered =
      co_await with_deadline(wait_for(host->target, launch->name, launch, is_there),
                             limits.registration, "the emulator's registration");
  if (!registered && registered.error().code() == errc::deadline_exceeded) {
    co_return std::unexpected(
        still_running(*launch, errc::emulator_start_failed, registered.error().message()));
  }
  if (!registered) co_return std::unexpected(registered.error());
  launch->serial = registered->row.serial;
  if (host->on_progress) host->on_progress(launch->serial + " is " + launch->name + ", booting");
  auto left = limits.boot;
  if (host->start_limit) {
    left -= std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
  }
  co_return co_await with_deadline(wait_for(host->target, launch->name, launch, has_booted), left,
                                   "booting " + launch->name);
}

Error published(const Error& error, const Launch& launch) {
  if (error.code() == errc::deadline_exceeded) {
    return still_running(launch, errc::emulator_boot_timeout, error.message());
  }
  if (error.code() == errc::cancelled) {
    return still_running(launch, errc::cancelled, "the wait was stopped");
  }
  return error;
}

Task<RunningEmulator> launch_and_wait(const EmulatorHost* host, std::string name) {
  CO_TRY(auto launch, launch_emulator(*host, name));
  if (host->on_progress) host->on_progress("started " + name + ", waiting for it");
  auto emulator = co_await wait_until_ready(host, &launch);
  if (!emulator) co_return std::unexpected(published(emulator.error(), launch));
  co_return emulator;
}

// Another one may have taken its port at once.
Task<bool> is_gone(EmulatorHost host, RunningEmulator emulator) {
  if (emulator.row.transport == Transport::server) {
    CO_TRY(const auto rows, co_await list_devices(emulators_only(host.target)));
    const bool listed = std::ranges::any_of(rows, [&](const DeviceRow& other) {
      return other.serial == emulator.row.serial && other.transport_id == emulator.row.transport_id;
    });
    if (listed) co_return false;
  }
  // The process outlives its device while it saves; its console is the last thing that goes.
  const auto console = co_await query_console(emulator.row.serial, "avd name");
  if (!console) co_return console.error().code() == errc::io;
  const std::string name = name_in_console_reply(*console);
  co_return !name.empty() && !emulator.avd_name.empty() && name != emulator.avd_name;
}

Task<bool> wait_until_gone(EmulatorHost host, RunningEmulator emulator) {
  for (;;) {
    CO_TRY(const bool gone, co_await is_gone(host, emulator));
    if (gone) co_return true;
    co_await sleep_for(kPollPause);
  }
}

std::string shown_name(const RunningEmulator& emulator) {
  return emulator.avd_name.empty() ? emulator.row.serial : emulator.avd_name;
}

std::unexpected<Error> not_stopped(const RunningEmulator& emulator, const Error& why) {
  ErrorMembers details;
  details.text("avdName", emulator.avd_name).text("serial", emulator.row.serial);
  const std::string members = ErrorMembers().object("details", details).str();
  const std::string subject = "Emulator " + shown_name(emulator);
  if (why.code() == errc::cancelled) {
    return fail(
        errc::cancelled,
        subject + " got the command to stop; the wait for its end was cut short: " + why.message(),
        members);
  }
  return fail(errc::emulator_stop_failed, subject + " did not stop: " + why.message(), members);
}

const RunningEmulator* find_by_serial(const std::vector<RunningEmulator>& running,
                                      std::string_view serial) {
  const auto at = std::ranges::find_if(
      running, [&](const RunningEmulator& one) { return one.row.serial == serial; });
  return at == running.end() ? nullptr : &*at;
}

Error none_runs(const std::string& name, const std::vector<RunningEmulator>& running) {
  ErrorMembers members;
  if (const RunningEmulator* nameless = find_by_name(running, "")) {
    const std::string& serial = nameless->row.serial;
    members.text("hint", serial +
                             " does not report its name; if it is the one: clawperator "
                             "emulator stop " +
                             serial);
  }
  return {errc::emulator_not_running, "Emulator " + name + " is not running", members.str()};
}

}  // namespace

const RunningEmulator* find_by_name(const std::vector<RunningEmulator>& running,
                                    std::string_view name) {
  const auto at = std::ranges::find(running, name, &RunningEmulator::avd_name);
  return at == running.end() ? nullptr : &*at;
}

std::string tail_of_log(const fs::path& log_file) {
  std::ifstream file(log_file, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0));
  std::string text(std::min(size, kShownOfLog), '\0');
  file.seekg(static_cast<std::streamoff>(size - text.size()));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto whole = size > text.size() ? text.find('\n') : text.npos;
  return whole == text.npos ? text : text.substr(whole + 1);
}

Task<RunningEmulator> start_emulator(EmulatorHost host, std::string name) {
  CO_TRY_VOID(check_avd_name(name));
  host.target = emulators_only(std::move(host.target));
  if (!read_avd(host.avds, name, host.arch).exists) {
    co_return fail(errc::emulator_not_found, "AVD " + name + " not found");
  }
  CO_TRY_VOID(co_await require_idle(host, name, Doubt::ignore));
  CO_TRY_VOID(require_sdk_tools({SdkTool::emulator}));
  co_return co_await launch_and_wait(&host, std::move(name));
}

Task<RunningEmulator> wait_until_booted(EmulatorHost host, RunningEmulator emulator) {
  if (emulator.booted) co_return emulator;
  const auto limit = limits_of(host).boot;
  auto booted = co_await with_deadline(
      wait_for(emulators_only(host.target), emulator.avd_name, nullptr, has_booted), limit,
      "booting " + emulator.avd_name);
  if (!booted && booted.error().code() == errc::deadline_exceeded) {
    ErrorMembers details;
    details.text("avdName", emulator.avd_name).text("serial", emulator.row.serial);
    co_return fail_with(errc::emulator_boot_timeout,
                        booted.error().message() + "; it keeps running", details);
  }
  co_return booted;
}

Task<RunningEmulator> stop_emulator(EmulatorHost host, std::string name) {
  CO_TRY_VOID(check_avd_name(name));
  CO_TRY(const auto running, co_await emulators_in_any_state(host.target));
  const RunningEmulator* emulator = find_by_name(running, name);
  if (!emulator) emulator = find_by_serial(running, name);
  if (!emulator) co_return std::unexpected(none_runs(name, running));
  const auto reply = co_await query_console(emulator->row.serial, "kill");
  if (!reply) co_return not_stopped(*emulator, reply.error());
  if (reply->verdict == adbproto::ConsoleReply::Verdict::ko) {
    co_return not_stopped(*emulator,
                          {errc::emulator_stop_failed,
                           "its console reports " + std::string(first_line(reply->text))});
  }
  const auto gone = co_await with_deadline(wait_until_gone(host, *emulator), kStopLimit, "its end");
  if (!gone) co_return not_stopped(*emulator, gone.error());
  co_return *emulator;
}

}  // namespace clawperator
