#include "runtime/host/operator/setup.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/json_document.hpp"
#include "runtime/host/errc.hpp"
#include "support/apk.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/sim_phone.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kRelease = "com.clawperator.operator";
const std::string kDebug = kRelease + ".dev";

struct ApkFile {
  TempFolder folder;
  std::string path = folder.file("operator.apk");

  explicit ApkFile(const std::string& bytes = apk_of(kRelease, "0.5.3", 503900)) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  [[nodiscard]] SetupRequest request(std::optional<std::string> package = {}) const {
    return {path, std::move(package), {}};
  }
};

// A phone that takes any package and then lists these.
struct SetupAt {
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd"}};
  ApkFile apk;
  SetupReport report;

  SetupAt() {
    device.serve("exec:cmd package 'install'", installs("Success\n"));
    device.serve("shell,v2,raw:cmd settings", prints(""));
    device.serve("shell,v2,raw:cmd package 'list'", prints("package:" + kRelease + "\n"));
    device.serve("shell,v2,raw:cmd package 'grant'", prints(""));
    device.serve("shell,v2,raw:true", prints(""));
  }
  static FakeService installs(std::string verdict) {
    return [verdict](adbproto::ByteStreamPtr stream, const std::string&) {
      return take_package(std::move(stream), verdict);
    };
  }
  static Task<void> take_package(adbproto::ByteStreamPtr stream, std::string verdict) {
    Bytes buffer(4096);
    CO_TRY([[maybe_unused]] const std::size_t size, co_await stream->read_some(buffer));
    co_return co_await stream->write_all(as_bytes(verdict));
  }
  Result<void> run(std::optional<std::string> package = {}) {
    return time.run(loop, set_up_operator(&device, apk.request(std::move(package)), &report));
  }
};

Json published(const Error& error, const SetupReport& report) {
  return Json::parse(setup_error(error, report).members());
}

}  // namespace

TEST_CASE("setup: a phone without the app has it afterwards, on every kind of phone",
          "[loopback]") {
  const auto off = GENERATE(
      values<std::vector<std::string>>({{}, {"abb", "abb_exec"}, {"abb", "abb_exec", "cmd"}}));
  SimDevice sim(off);
  ApkFile apk;
  sim.phone().packages->uninstall(kRelease);
  sim.phone().settings.table("secure")->erase("enabled_accessibility_services");
  SetupReport report;
  REQUIRE(sim.run(set_up_operator(sim.device(), apk.request(), &report)));
  CHECK(report.operator_package == kRelease);
  CHECK(report.install.ok);
  CHECK(report.permissions->ok());
  CHECK(report.verification->package_installed);
  const simdroid::Package* package = sim.phone().packages->find(kRelease);
  REQUIRE(package != nullptr);
  CHECK(package->version_name == "0.5.3");
  CHECK(package->granted.contains("android.permission.POST_NOTIFICATIONS"));
  CHECK(sim.phone().settings.get("secure", "enabled_accessibility_services") ==
        accessibility_component(kRelease));
}

TEST_CASE("setup: progress reports every byte", "[loopback]") {
  SimDevice sim;
  sim.phone().packages->uninstall(kRelease);
  ApkFile apk;
  SetupReport report;
  SetupRequest request = apk.request();
  adbproto::InstallProgress last;
  request.on_progress = [&](const adbproto::InstallProgress& at) { last = at; };
  REQUIRE(sim.run(set_up_operator(sim.device(), std::move(request), &report)));
  CHECK(last.total > 0);
  CHECK(last.done == last.total);
}

TEST_CASE("setup: a phone that says no leaves nothing in doubt", "[loopback]") {
  SetupAt at;
  at.device.serve("exec:cmd package 'install'",
                  SetupAt::installs("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n"));
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::operator_install_failed);
  const Json json = published(done.error(), at.report);
  CHECK(json["install"]["ok"] == false);
  CHECK(json["install"]["exitCode"] == 1);
  CHECK_THAT(json["install"]["error"].get<std::string>(),
             Catch::Contains("INSTALL_FAILED_INSUFFICIENT_STORAGE"));
  CHECK(json["hint"] == "Free some storage on the device.");
  CHECK_FALSE(json.contains("details"));
  CHECK_FALSE(json.contains("permissions"));
}

TEST_CASE("setup: a link that is lost when all was sent leaves the outcome unknown", "[loopback]") {
  SetupAt at;
  at.device.serve("exec:cmd package 'install'", SetupAt::installs(""));
  at.device.fails("shell,v2,raw:true", {errc::io, "reset"});
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::link_lost);
  const Json json = published(done.error(), at.report);
  CHECK(json["details"]["phase"] == "install");
  CHECK(json["details"]["dispatchAttempted"] == true);
  CHECK(json["details"]["executionPosition"] == "unknown");
}

TEST_CASE("setup: a service that ends without a verdict is not a lost link", "[loopback]") {
  SetupAt at;
  at.device.serve("exec:cmd package 'install'", SetupAt::installs(""));
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::operator_install_failed);
}

TEST_CASE("setup: a link that is lost between the grants reports which were done", "[loopback]") {
  SetupAt at;
  at.device.fails("shell,v2,raw:cmd package 'grant'", {errc::closed, "gone"});
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::link_lost);
  const Json json = published(done.error(), at.report);
  CHECK(json["operatorPackage"] == kRelease);
  CHECK(json["install"]["ok"] == true);
  CHECK(json["permissions"]["notificationListener"]["error"] == "not tried");
  CHECK(json["details"]["phase"] == "permissions");
  CHECK(json["details"]["dispatchAttempted"] == true);
  CHECK_FALSE(json.contains("verification"));
}

TEST_CASE("setup: a package manager that falls silent is reported as such", "[loopback]") {
  SetupAt at;
  at.device.serve("shell,v2,raw:", prints("", "Can't find service: package", 20));
  at.device.serve("shell,v2,raw:cmd package 'list'", prints("", "no", 20));
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::operator_verify_failed);
  CHECK(done.error().message() == "The device does not report which packages are installed.");
}

TEST_CASE("setup: a file that is gone when it is to be sent", "[loopback]") {
  SetupAt at;
  std::filesystem::remove(at.apk.path);
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::operator_apk_not_found);
  CHECK_FALSE(published(done.error(), at.report).contains("permissions"));
}

TEST_CASE("setup: stopped in the middle it still has a report", "[loopback]") {
  SetupAt at;
  at.device.serve("exec:cmd package 'install'", hangs());
  const auto started = at.loop.start(set_up_operator(&at.device, at.apk.request(), &at.report));
  at.loop.settle();
  started->cancel();
  at.loop.settle();
  CHECK(at.report.begun);
  CHECK_FALSE(at.report.install.ok);
  const Json json = published({errc::cancelled, "stopped"}, at.report);
  CHECK(json["install"]["ok"] == false);
  CHECK(json["details"]["phase"] == "install");
}
