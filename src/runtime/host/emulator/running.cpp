#include "runtime/host/emulator/running.hpp"

#include <algorithm>

#include "adbproto/client/server_address.hpp"
#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

// The console is on this computer and answers at once; a stopped emulator never does.
constexpr auto kConsoleLimit = milliseconds(2000);
constexpr auto kEmulatorLimit = milliseconds(3000);  // connect, then `getprop`; callers retry
constexpr std::size_t kMaxToken = 4096;              // one short line
constexpr std::size_t kMaxShown = 200;               // of a reply; names are shorter

Task<std::string> device_answer(TargetOptions target, DeviceRow row) {
  CO_TRY(const auto device, co_await open_row(std::move(target), std::move(row)));
  CO_TRY(auto output, co_await run_on_device(device.get(), boot_state_line(), kEmulatorLimit));
  co_return std::move(output.out);
}

// Empty: it answers, without a name.
Task<std::string> name_by_console(std::string serial) {
  CO_TRY(const auto reply, co_await query_console(std::move(serial), "avd name"));
  co_return name_in_console_reply(reply);
}

// The consoles that an adb server looks for by itself: its last adb port is 5585.
constexpr std::uint16_t kFirstConsole = 5554;
constexpr std::uint16_t kLastConsole = 5584;

// Where each emulator of this computer would be. Only its console shows whether it is there.
std::vector<DeviceRow> rows_by_console() {
  std::vector<DeviceRow> rows;
  for (std::uint16_t port = kFirstConsole; port <= kLastConsole; port += 2) {
    rows.push_back({.serial = "emulator-" + std::to_string(port),
                    .state = State::offline,
                    .transport = Transport::tcp});
  }
  return rows;
}

// A server that the caller names must answer.
Task<std::vector<DeviceRow>> emulator_rows(TargetOptions target) {
  auto rows = co_await list_devices(target);
  const bool searches = !rows && rows.error().code() == errc::adb_server_failed &&
                        !adbproto::is_server_named(target.adb_server, environment_variable);
  if (searches) co_return rows_by_console();
  co_return rows;
}

struct Listed {
  RunningEmulator emulator{};
  bool is_left_over = false;  // only the list has it: its process is gone, or never was
};

asio::awaitable<void> describe(TargetOptions target, Listed* listed) {
  RunningEmulator& emulator = listed->emulator;
  DeviceRow& row = emulator.row;
  const auto name = co_await name_by_console(row.serial);
  emulator.avd_name = name.value_or("");
  listed->is_left_over = row.state != State::device && !name && name.error().code() == errc::io;
  const bool may_answer = row.state == State::device || row.transport == Transport::tcp;
  if (listed->is_left_over || !may_answer) co_return;
  const auto state = co_await read_boot_state(target, row);
  if (!state) co_return;
  row.state = State::device;
  emulator.booted = state->booted;
  if (emulator.avd_name.empty()) emulator.avd_name = state->avd_name;
}

// All at once: a mute one must not hold up the others.
asio::awaitable<void> describe_from(TargetOptions target, std::vector<Listed>* emulators,
                                    std::size_t at) {
  using namespace base::parallel;
  if (at == emulators->size()) co_return;
  co_await (describe(target, &(*emulators)[at]) && describe_from(target, emulators, at + 1));
}

bool is_emulator(const DeviceRow& row) { return adbproto::console_port(row.serial).has_value(); }

Task<std::vector<RunningEmulator>> emulators_that(bool (*match)(const DeviceRow&),
                                                  TargetOptions target) {
  target = emulators_only(std::move(target));
  CO_TRY(const auto rows, co_await emulator_rows(target));
  std::vector<Listed> listed;
  for (const DeviceRow& row : rows) {
    if (row.transport == Transport::tcp || match(row)) listed.push_back({.emulator = {.row = row}});
  }
  std::ranges::sort(listed, {}, [](const Listed& one) { return one.emulator.row.serial; });
  co_await describe_from(target, &listed, 0);
  std::vector<RunningEmulator> found;
  for (Listed& one : listed) {
    if (!one.is_left_over && match(one.emulator.row)) found.push_back(std::move(one.emulator));
  }
  co_return found;
}

}  // namespace

std::string console_token() {
  const auto home = home_folder();
  if (home.empty()) return {};
  const auto text = read_file(home / ".emulator_console_auth_token", kMaxToken);
  if (!text) return {};
  std::string_view rest = *text;
  return std::string(trimmed(take_line(&rest)));
}

bool is_running_emulator(const DeviceRow& row) {
  return row.state == State::device && is_emulator(row);
}

TargetOptions emulators_only(TargetOptions target) {
  target.transport = Transport::server;
  target.device.reset();
  target.transport_id.reset();
  target.honour_android_serial = false;
  return target;
}

Task<ConsoleReply> query_console(std::string serial, std::string command) {
  const auto port = adbproto::console_port(serial);
  if (!port) co_return fail(errc::io, serial + " has no console");
  co_return co_await adbproto::emulator_command(*port, console_token(), std::move(command),
                                                kConsoleLimit);
}

std::string name_in_console_reply(const ConsoleReply& reply) {
  std::string_view text = reply.text;
  while (reply.verdict == ConsoleReply::Verdict::ok && !text.empty()) {
    const std::string_view line = take_line(&text);
    if (!line.empty() && line != "OK") return std::string(line.substr(0, kMaxShown));
  }
  return {};
}

BootState parse_boot_state(std::string_view answer) {
  const std::string_view completed = take_line(&answer);
  const std::string_view bootcomplete = take_line(&answer);
  const std::string_view newer_name = take_line(&answer);
  const std::string_view older_name = take_line(&answer);
  const std::string_view name = newer_name.empty() ? older_name : newer_name;
  return {.avd_name = std::string(name.substr(0, kMaxShown)),
          .booted = completed == "1" && bootcomplete == "1"};
}

Task<BootState> read_boot_state(TargetOptions target, DeviceRow row) {
  const std::string what = "asking " + row.serial;
  CO_TRY(const auto answer, co_await with_deadline(device_answer(std::move(target), std::move(row)),
                                                   kEmulatorLimit, what));
  co_return parse_boot_state(answer);
}

Task<std::vector<RunningEmulator>> running_emulators(TargetOptions target) {
  co_return co_await emulators_that(is_running_emulator, std::move(target));
}

Task<std::vector<RunningEmulator>> emulators_in_any_state(TargetOptions target) {
  co_return co_await emulators_that(is_emulator, std::move(target));
}

}  // namespace clawperator
