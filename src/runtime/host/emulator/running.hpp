#pragma once
// The emulators that run: which virtual device each of them is, and how far it has booted. Their
// names come from the emulator's console, and from the device itself where the console is mute.

#include "adbproto/client/emulator_console.hpp"
#include "base/async/task.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct RunningEmulator {
  DeviceRow row{};
  std::string avd_name{};  // empty: neither console nor device reports it
  bool booted = false;

  bool operator==(const RunningEmulator&) const = default;
};

// "emulator-5554" in state `device`.
bool is_running_emulator(const DeviceRow& row);
// A device that the user names is no filter.
TargetOptions emulators_only(TargetOptions target);

// By serial. The adb server lists them; without one their consoles are found on the ports of this
// computer that emulators take. adb_server_failed: a named server does not answer. Emulators that
// do not answer are included, with the values that are known.
Task<std::vector<RunningEmulator>> running_emulators(TargetOptions target);

// Also those that boot or are unauthorized; with a name if their console reports it. One without a
// console is left out: the adb server lists some that have ended.
Task<std::vector<RunningEmulator>> emulators_in_any_state(TargetOptions target);

// The token for the consoles of this user's emulators. Empty: they need none. One line: a second
// one would be a command.
std::string console_token();

// One command of the console, as this user.
Task<adbproto::ConsoleReply> query_console(std::string serial, std::string command);

// The first line of the reply to `avd name` that is not empty or "OK".
std::string name_in_console_reply(const adbproto::ConsoleReply& reply);

// The device's own state; `asking` costs a connection.
struct BootState {
  std::string avd_name{};
  bool booted = false;
};
// Reads the four lines that boot_state_line prints.
BootState parse_boot_state(std::string_view answer);
Task<BootState> read_boot_state(TargetOptions target, DeviceRow row);

}  // namespace clawperator
