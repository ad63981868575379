#pragma once
// `clawperator adb ...`, and this program under the name `adb`: adb's command line, texts and exit
// codes, from our own protocol code. A subcommand is a row in adb_command_table.cpp and a function
// in a file with its name or its group's.

#include "adbproto/client/device.hpp"
#include "adbproto/client/server_client.hpp"
#include "runtime/device/target.hpp"

namespace clawperator::cli {

struct AdbContext {
  TargetOptions target{};  // from -s -t -d -e -H -P -L, before the subcommand
  std::string name{};      // of the subcommand that runs
};

using AdbWords = std::vector<std::string>;
// Prints its own output (stdout, stderr) and returns the exit code. The caller prints an error as
// "adb: <message>" and exits 1. `context` outlives the task.
using RunAdb = Task<int>(AdbContext* context, AdbWords words);

struct AdbCommand {
  std::string_view
      name;  // "wait-for-" matches every name with this beginning; the rest is the first word
  std::string_view usage;  // as `adb help` prints it: " shell [-e ESCAPE] [-n] ..."
  std::string_view summary;
  RunAdb* run;
};

std::span<const AdbCommand> adb_commands();

RunAdb adb_attach, adb_bugreport, adb_connect, adb_devices, adb_disconnect, adb_emu, adb_exec_in,
    adb_exec_out, adb_features, adb_forward, adb_get, adb_help, adb_host_features, adb_install,
    adb_install_multiple, adb_jdwp, adb_keygen, adb_kill_server, adb_logcat, adb_longcat, adb_ls,
    adb_mdns, adb_pair, adb_pull, adb_push, adb_reboot, adb_reconnect, adb_remount, adb_reverse,
    adb_root, adb_shell, adb_start_server, adb_stat, adb_sync, adb_tcpip, adb_track_devices,
    adb_uninstall, adb_usb, adb_version, adb_wait_for;

// Lines to stdout and stderr. On a terminal, control characters in them have no effect. A closed
// pipe ends the process as SIGPIPE would.
void print_out(std::string_view text);
void print_err(std::string_view text);
// Raw bytes to stdout.
void write_out(std::string_view bytes);

// The words before adb's subcommand:
//
//   adb [-a] [-d] [-e] [-s SERIAL] [-t ID] [-H HOST] [-P PORT] [-L SOCKET] SUBCOMMAND ...
//
// -s, -t, -H, -P and -L may have their value attached ("-sSERIAL"), as adb reads them.
struct AdbLine {
  AdbContext context;
  std::string subcommand;  // empty: none was given
  std::vector<std::string> arguments;
};

// `target` holds the defaults. ANDROID_SERIAL is used if no option names a device. The error's
// message is adb's, without its "adb: ".
Result<AdbLine> read_adb_line(std::span<const std::string> argv, TargetOptions target,
                              const GetEnvironment& environment);

// Runs `argv` (without the program's name); `target` holds clawperator's own options before `adb`.
int run_adb(std::span<const std::string> argv, TargetOptions target);

}  // namespace clawperator::cli
