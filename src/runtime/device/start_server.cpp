#include "runtime/device/start_server.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>

#include "runtime/device/environment.hpp"

extern char** environ;

namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::Result;
using adbproto::Task;
namespace fs = std::filesystem;

namespace {

constexpr auto kStartLimit = std::chrono::seconds(15);
constexpr auto kLook = std::chrono::milliseconds(10);

bool is_program(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

std::optional<fs::path> find_adb() {
  if (const auto path = environment_variable("ADB_PATH")) return fs::path(*path);
  std::istringstream folders(environment_variable("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && is_program(fs::path(folder) / "adb")) return fs::path(folder) / "adb";
  }
  for (const char* name : {"ANDROID_HOME", "ANDROID_SDK_ROOT"}) {
    const auto sdk = environment_variable(name);
    if (sdk && is_program(fs::path(*sdk) / "platform-tools/adb")) {
      return fs::path(*sdk) / "platform-tools/adb";
    }
  }
  return std::nullopt;
}

// Output goes nowhere: the server it forks would keep our pipes open.
Result<pid_t> spawn_quietly(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    return fail(Errc::adb_not_found, "cannot run " + words[0] + ": " + std::strerror(error));
  return pid;
}

// adb takes every address with a host in it, 127.0.0.1 too, for a remote one that it cannot start.
std::string socket_spec(const adbproto::ServerAddress& address) {
  const bool local = address.host == "127.0.0.1" || address.host == "localhost";
  if (!address.path.empty() || !local) return address.to_string();
  return "tcp:" + std::to_string(address.port);
}

}  // namespace

Task<void> start_adb_server(adbproto::ServerAddress address) {
  const auto adb = find_adb();
  if (!adb) {
    co_return fail(Errc::adb_not_found,
                   "no adb in ADB_PATH, PATH or the Android SDK to start a server with");
  }
  std::vector<std::string> words{adb->string(), "-L", socket_spec(address), "start-server"};
  CO_TRY(const pid_t pid, spawn_quietly(std::move(words)));
  int status = 0;
  for (auto waited = kLook; waited < kStartLimit; waited += kLook) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0) co_return adbproto::ok();
    if (ended != 0) break;
    co_await adbproto::sleep_for(kLook);
  }
  if (::waitpid(pid, &status, WNOHANG) == 0) {
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, &status, 0);
  }
  co_return fail(Errc::adb_server_failed,
                 adb->string() + " start-server failed for " + address.to_string());
}

}  // namespace clawperator
