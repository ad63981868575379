#include "runtime/device/start_server.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "runtime/device/errc.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;
namespace fs = std::filesystem;

namespace {

// A machine without adb but for what a test puts there.
struct Machine {
  TempFolder folder;
  Variable variables[4] = {{"ADB_PATH", std::nullopt},
                           {"PATH", folder.file("bin")},
                           {"ANDROID_HOME", std::nullopt},
                           {"ANDROID_SDK_ROOT", std::nullopt}};

  // Writes its arguments down and exits.
  void install(const std::string& name, int status) const {
    write_text(folder.path() / name, "#!/bin/sh\necho \"$0 $*\" > " + folder.file("asked") +
                                         "\nexit " + std::to_string(status) + "\n");
    fs::permissions(folder.path() / name, fs::perms(0755));
  }
  [[nodiscard]] std::string asked() const { return file_text(folder.path() / "asked"); }
};

}  // namespace

TEST_CASE("start server: without an adb it is an error, and nothing runs", "[device]") {
  const Machine machine;
  const auto started = run_task(start_adb_server({}));
  REQUIRE_FALSE(started);
  CHECK(started.error().code() == errc::adb_not_found);
}

TEST_CASE("start server: ADB_PATH, then PATH, then the SDK", "[device]") {
  const Machine machine;
  machine.install("sdk/platform-tools/adb", 0);
  const Variable sdk("ANDROID_HOME", machine.folder.file("sdk"));
  CHECK(run_task(start_adb_server({})));
  CHECK(machine.asked() ==
        machine.folder.file("sdk/platform-tools/adb") + " -L tcp:5037 start-server\n");
  machine.install("bin/adb", 0);
  CHECK(run_task(start_adb_server({.host = "127.0.0.1", .port = 5050, .path = ""})));
  CHECK(machine.asked() == machine.folder.file("bin/adb") + " -L tcp:5050 start-server\n");
  machine.install("my-adb", 0);
  const Variable path("ADB_PATH", machine.folder.file("my-adb"));
  CHECK(run_task(start_adb_server({})));
  CHECK_THAT(machine.asked(), Catch::StartsWith(machine.folder.file("my-adb")));
}

TEST_CASE("start server: an adb that fails or cannot run is named", "[device]") {
  const Machine machine;
  machine.install("bin/adb", 3);
  const auto failed = run_task(start_adb_server({}));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code() == errc::adb_server_failed);
  CHECK_THAT(failed.error().message(), Catch::Contains(machine.folder.file("bin/adb")));
  const Variable path("ADB_PATH", "/nowhere/adb");
  const auto absent = run_task(start_adb_server({}));
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::adb_not_found);
}

TEST_CASE("start server: a parent that ignores SIGCHLD is no obstacle", "[device][F31]") {
  const Machine machine;
  machine.install("bin/adb", 0);
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  CHECK(run_task(start_adb_server({})));
  std::signal(SIGCHLD, before);
}
