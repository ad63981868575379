#pragma once
// What stands before adb's subcommand:
//
//   adb [-a] [-d] [-e] [-s SERIAL] [-t ID] [-H HOST] [-P PORT] [-L SOCKET] SUBCOMMAND ...
//
// -s, -t, -H, -P and -L may have their value attached ("-sSERIAL"), as adb reads them.

#include <span>
#include <string>
#include <vector>

#include "adbproto/client/server_address.hpp"
#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {

struct AdbLine {
  AdbContext context;
  std::string subcommand;  // empty: none was given
  std::vector<std::string> arguments;
};

// `target` is the beginning. ANDROID_SERIAL counts where nothing else names a device. The error's
// message is adb's, without its "adb: ".
Result<AdbLine> read_adb_line(std::span<const std::string> argv, TargetOptions target,
                              const GetEnvironment& environment);

}  // namespace clawperator::cli
