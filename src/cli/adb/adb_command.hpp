#pragma once
// `clawperator adb ...`, and this program under the name `adb`: adb's command line, texts and exit
// codes, from our own protocol code. A subcommand is a constant in <name>.cpp beside this file and
// a row in adb_command_table.cpp.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/client/server_client.hpp"
#include "runtime/device/target.hpp"

namespace clawperator::cli {

// What stands before the subcommand: -s -t -d -e -H -P -L, ANDROID_SERIAL.
struct AdbContext {
  TargetOptions target;
};

struct AdbCommand {
  std::string_view name;   // "wait-for-" stands for all that begin so; their rest comes first
  std::string_view usage;  // as `adb help` prints it: " shell [-e ESCAPE] [-n] ..."
  std::string_view summary;
  // Prints what it has to say itself (stdout, stderr) and returns the exit code. An error is
  // printed by the caller as "adb: <message>" and exits 1. `context` outlives the task.
  Task<int> (*run)(AdbContext* context, std::vector<std::string> arguments);
};

std::span<const AdbCommand* const> adb_commands();

// The device that the context names, with adb's own words when there is none or more than one
// ("no devices/emulators found", "more than one device/emulator", "device 'X' not found",
// "device unauthorized.\n...").
Task<std::unique_ptr<adbproto::Device>> open_adb_device(AdbContext* context);
// The adb server, when one answers; absent: work goes directly to the devices.
Task<std::optional<adbproto::ServerClient>> find_adb_server(AdbContext* context);

// Whole lines and bytes to stdout and stderr; a closed pipe ends the process as SIGPIPE would.
void print_out(std::string_view text);
void print_err(std::string_view text);

// The subcommands, each in a file of its own or with its siblings.
extern const AdbCommand kAdbDevices, kAdbHelp, kAdbVersion, kAdbConnect, kAdbDisconnect, kAdbPair,
    kAdbForward, kAdbReverse, kAdbMdns, kAdbKeygen, kAdbWaitFor, kAdbGetState, kAdbGetSerialno,
    kAdbGetDevpath, kAdbFeatures, kAdbHostFeatures, kAdbTrackDevices, kAdbReconnect,
    kAdbStartServer, kAdbKillServer, kAdbAttach, kAdbDetach;
extern const AdbCommand kAdbPush, kAdbPull, kAdbSync, kAdbLs, kAdbStat, kAdbInstall,
    kAdbInstallMultiple, kAdbUninstall;
extern const AdbCommand kAdbShell, kAdbExecOut, kAdbExecIn, kAdbLogcat, kAdbLolcat, kAdbLongcat,
    kAdbBugreport, kAdbJdwp, kAdbEmu;
extern const AdbCommand kAdbRoot, kAdbUnroot, kAdbRemount, kAdbDisableVerity, kAdbEnableVerity,
    kAdbTcpip, kAdbUsb, kAdbReboot, kAdbRebootBootloader, kAdbRebootFastboot;

// Runs `argv` (without the program's name); `target` is what the command line said before it.
int run_adb(std::span<const std::string> argv, TargetOptions target);

}  // namespace clawperator::cli
