#pragma once
// Commands to a device's package service that take a file as input, and their verdict.
//
//   abb_exec:package\0install\0-S\0<size>    if the device has it, else
//   exec:cmd package 'install' '-S' '<size>'       before Android 7: exec:pm 'install-create' ...
//   file bytes -->                           <-- "Success\n" or "Failure [CODE: reason]\n"

#include "adbproto/client/install.hpp"
#include "adbproto/client/local_files.hpp"

namespace adbproto {

struct Apk {
  std::string path;
  FileHandle file;
  std::uint64_t size = 0;
};
// `shown` is for messages.
Result<Apk> open_apk(const std::string& path, const std::string& shown);

struct PackageLimits {
  std::chrono::milliseconds stall{30000};
  std::chrono::milliseconds verdict{300000};
};

// Returns the service's output for a command, without the line break. `apk` may be null: then the
// command has no input. `on_bytes` gets the size of each sent piece.
Task<std::string> call_package_service(Device* device, std::vector<std::string> words,
                                       const Apk* apk, PackageLimits limits,
                                       std::function<void(std::size_t)> on_bytes);

// True if the verdict is "Success".
bool is_success(std::string_view verdict);
// "Success: created install session [123]" -> "123".
Result<std::string> parse_session_id(std::string_view verdict);

}  // namespace adbproto
