#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {
namespace {

// clang-format off
// In the order of the help.
constexpr const AdbCommand* kCommands[] = {
    &kAdbDevices, &kAdbHelp, &kAdbVersion,
    &kAdbConnect, &kAdbDisconnect, &kAdbPair, &kAdbForward, &kAdbReverse, &kAdbMdns,
    &kAdbPush, &kAdbPull, &kAdbSync, &kAdbLs, &kAdbStat,
    &kAdbShell, &kAdbExecOut, &kAdbExecIn, &kAdbEmu,
    &kAdbInstall, &kAdbInstallMultiple, &kAdbUninstall,
    &kAdbLogcat, &kAdbLolcat, &kAdbLongcat, &kAdbJdwp, &kAdbBugreport,
    &kAdbRoot, &kAdbUnroot, &kAdbRemount, &kAdbDisableVerity, &kAdbEnableVerity, &kAdbTcpip,
    &kAdbUsb, &kAdbReboot, &kAdbRebootBootloader, &kAdbRebootFastboot,
    &kAdbKeygen,
    &kAdbWaitFor, &kAdbGetState, &kAdbGetSerialno, &kAdbGetDevpath, &kAdbFeatures,
    &kAdbHostFeatures, &kAdbTrackDevices,
    &kAdbReconnect, &kAdbStartServer, &kAdbKillServer, &kAdbAttach, &kAdbDetach,
};
// clang-format on

}  // namespace

std::span<const AdbCommand* const> adb_commands() { return kCommands; }

}  // namespace clawperator::cli
