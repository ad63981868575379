#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

// In the order of the help.
constexpr AdbCommand kCommands[] = {
    {"devices", " devices [-l]", "list the devices, -l with details", adb_devices},
    {"help", " help", "print this help", adb_help},
    {"version", " version", "print the version", adb_version},
    {"connect", " connect HOST[:PORT]", "reach a device over TCP [default port=5555]", adb_connect},
    {"disconnect", " disconnect [HOST[:PORT]]", "forget that device, or all on TCP",
     adb_disconnect},
    {"pair", " pair HOST[:PORT] [PAIRING CODE]", "pair with a device for wireless debugging",
     adb_pair},
    {"forward", " forward --list | --remove LOCAL | --remove-all | [--no-rebind] LOCAL REMOTE",
     "lead connections from here to the device", adb_forward},
    {"reverse", " reverse --list | --remove REMOTE | --remove-all | [--no-rebind] REMOTE LOCAL",
     "lead connections from the device to here", adb_reverse},
    {"mdns", " mdns check|services", "list the devices that announce themselves", adb_mdns},

    {"push", " push [--sync] [-z ALGORITHM] [-Z] [-n] [-q] LOCAL... REMOTE",
     "copy local files/directories to device", adb_push},
    {"pull", " pull [-a] [-z ALGORITHM] [-Z] [-q] REMOTE... [LOCAL]", "copy files/dirs from device",
     adb_pull},
    {"sync", " sync", "not offered: use push --sync", adb_sync},
    {"ls", " ls REMOTE", "list a directory: mode, size, mtime in hex, and name", adb_ls},
    {"stat", " stat [-L] REMOTE...", "the same line for files; -L follows links", adb_stat},

    {"shell", " shell [-e ESCAPE] [-n] [-Tt] [-x] [COMMAND...]",
     "run remote shell command (interactive shell if no command given)\n"
     "-e: choose escape character, or \"none\"; default '~'\n"
     "-n: don't read from stdin\n"
     "-T: disable pty allocation\n"
     "-t: allocate a pty if on a tty (-tt: force pty allocation)\n"
     "-x: disable remote exit codes and stdout/stderr separation",
     adb_shell},
    {"exec-out", " exec-out COMMAND...", "run a command and print its raw output", adb_exec_out},
    {"exec-in", " exec-in COMMAND...", "run a command with our input as its input, and wait for it",
     adb_exec_in},
    {"emu", " emu COMMAND", "run emulator console command", adb_emu},

    {"install", " install [-lrtsdg] [--abi ABI] [--user ID] [--no-streaming] PACKAGE",
     "push a single package to the device and install it", adb_install},
    {"install-multiple", " install-multiple [-lrtsdpg] [--abi ABI] PACKAGE...",
     "push multiple APKs to the device for a single package and install them",
     adb_install_multiple},
    {"uninstall", " uninstall [--user ID] PACKAGE", "remove this app package from the device",
     adb_uninstall},

    {"logcat", " logcat [-v FORMAT] [-d] [-b BUFFER] [FILTER...]",
     "show device log (logcat --help for more)", adb_logcat},
    {"lolcat", "", "", adb_logcat},
    {"longcat", "", "", adb_longcat},
    {"jdwp", " jdwp", "list pids of processes hosting a JDWP transport", adb_jdwp},
    {"bugreport", " bugreport [PATH]",
     "write bugreport to given PATH [default=bugreport.zip];\n"
     "if PATH is a directory, the bug report is saved in that directory.\n"
     "devices that don't support zipped bug reports output to stdout.",
     adb_bugreport},

    {"root", " root", "restart adbd with root permissions", adb_root},
    {"unroot", " unroot", "restart adbd without root permissions", adb_root},
    {"remount", " remount [-R]",
     "remount partitions read-write. if a reboot is required, -R will automatically reboot",
     adb_remount},
    {"disable-verity", " disable-verity", "disable dm-verity checking on userdebug builds",
     adb_remount},
    {"enable-verity", " enable-verity", "re-enable dm-verity checking on userdebug builds",
     adb_remount},
    {"tcpip", " tcpip PORT", "restart adbd listening on TCP on PORT", adb_tcpip},
    {"usb", " usb", "restart adbd listening on USB", adb_usb},
    {"reboot", " reboot [bootloader|recovery|sideload|sideload-auto-reboot]",
     "reboot the device; defaults to booting system image but\n"
     "supports bootloader and recovery too",
     adb_reboot},
    {"reboot-bootloader", "", "", adb_reboot},
    {"reboot-fastboot", "", "", adb_reboot},
    {"keygen", " keygen FILE", "make a key pair: FILE and FILE.pub", adb_keygen},

    {"wait-for-", " wait-for[-TRANSPORT]-STATE... [SUBCOMMAND]",
     "wait for device, recovery, rescue, sideload, bootloader, any or disconnect;\n"
     "of several states one is enough",
     adb_wait_for},
    {"get-state", " get-state", "print device, offline, unauthorized, ...", adb_get},
    {"get-serialno", " get-serialno", "print the serial", adb_get},
    {"get-devpath", " get-devpath", "print the place on the bus", adb_get},
    {"features", " features", "list the features of the device", adb_features},
    {"host-features", " host-features", "list the features of the adb server, or ours",
     adb_host_features},
    {"track-devices", " track-devices [-l]", "print the server's list whenever it changes",
     adb_track_devices},

    {"reconnect", " reconnect [device|offline]", "drop the connection, from either side",
     adb_reconnect},
    {"start-server", " start-server",
     "start the adb of the SDK as a server if none runs;\n"
     "without an SDK devices are reached directly",
     adb_start_server},
    {"kill-server", " kill-server", "end the adb server", adb_kill_server},
    {"attach", " attach", "have the adb server take a USB device", adb_attach},
    {"detach", " detach", "have the adb server let go of a USB device", adb_attach},
};

}  // namespace

std::span<const AdbCommand> adb_commands() { return kCommands; }

}  // namespace clawperator::cli
