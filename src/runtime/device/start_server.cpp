#include "runtime/device/start_server.hpp"

#include <csignal>

#include "base/system/environment.hpp"
#include "base/system/spawn.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

// Longer than a server's first scan for devices on a busy computer; a hung adb must end.
constexpr auto kStartLimit = std::chrono::seconds(15);
// The kernel ends a killed process at once; this only reaps it.
constexpr auto kEndLimit = std::chrono::seconds(1);

std::optional<fs::path> find_adb() {
  if (const auto path = environment_variable("ADB_PATH")) return fs::path(*path);
  if (auto found = find_program("adb")) return found;
  for (const char* name : {"ANDROID_HOME", "ANDROID_SDK_ROOT"}) {
    const auto sdk = environment_variable(name);
    if (!sdk) continue;
    if (auto found = find_program(*sdk + "/platform-tools/adb")) return found;
  }
  return std::nullopt;
}

// adb takes every address with a host in it, 127.0.0.1 too, for a remote one that it cannot start.
std::string socket_spec(const adbproto::ServerAddress& address) {
  const bool local = address.host == "127.0.0.1" || address.host == "localhost";
  if (!address.path.empty() || !local) return address.to_string();
  return "tcp:" + std::to_string(address.port);
}

}  // namespace

bool has_adb_program() { return find_adb().has_value(); }

Task<void> start_adb_server(adbproto::ServerAddress address) {
  const auto adb = find_adb();
  if (!adb) {
    co_return fail(errc::adb_not_found,
                   "no adb in ADB_PATH, PATH or the Android SDK to start a server with");
  }
  // Output goes nowhere: the server it forks would keep our pipes open.
  const auto pid =
      spawn_program({.words = {adb->string(), "-L", socket_spec(address), "start-server"},
                     .needed_variables = "ADB_* ANDROID_*",
                     .variables = {std::string(kStartsAdbServer) + "=1"}});
  if (!pid) co_return fail(errc::adb_not_found, pid.error().message());
  const auto status = co_await wait_for_exit(*pid, kStartLimit);
  if (status == 0) co_return ok();
  if (!status) {
    ::kill(-*pid, SIGKILL);
    co_await wait_for_exit(*pid, kEndLimit);
  }
  co_return fail(errc::adb_server_failed,
                 adb->string() + " start-server failed for " + address.to_string());
}

}  // namespace clawperator
