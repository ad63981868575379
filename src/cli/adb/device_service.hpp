#pragma once
// What the subcommands share that open one service of the device and print what it says.

#include <string>
#include <string_view>

#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {

// An error of a device or a service as adb words it: "closed" when adbd refused the service.
std::string adb_words(const Error& error);
// Prints "error: <words>"; the exit code is `code`.
int print_service_error(const Error& error, int code);

// "- waiting for device -" until there is one.
Task<std::unique_ptr<adbproto::Device>> wait_for_adb_device(AdbContext* context);

// Copies an unframed service's words to stdout until it ends, with the link where it restarts adbd.
Task<int> print_service(AdbContext* context, std::string service);

// A command without input, its streams apart; the exit code is the command's.
Task<int> run_device_command(adbproto::Device* device, std::string command);

}  // namespace clawperator::cli
