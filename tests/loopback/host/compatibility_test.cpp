#include "runtime/host/operator/compatibility.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/verbs/apps.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/sim_phone.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kPackage = "com.clawperator.operator";
const ProgramVersions kVersions{"1.0.0", "0.12.5"};
const std::string kList =
    "shell,v2,raw:cmd package 'list' 'packages' '--user' '0' 'perator.operator'";
const std::string kUser = "shell,v2,raw:cmd activity 'get-current-user'";
const std::string kDump = "shell,v2,raw:dumpsys package 'com.clawperator.operator'";

struct At {
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd"}, "phone-1"};

  Result<Compatibility> check() {
    return time.run(loop, check_compatibility(&device, kPackage, kVersions));
  }
};

}  // namespace

TEST_CASE("compatibility: a phone with the app fits", "[loopback]") {
  SimDevice sim;
  const auto report = sim.run(check_compatibility(sim.device(), kPackage, kVersions));
  REQUIRE(report);
  CHECK(report->compatible);
  CHECK(report->apk_version == "0.12.5");
  CHECK(report->apk_version_code == "1205900");
}

TEST_CASE("compatibility: both queries are sent before either is answered", "[loopback]") {
  At at;
  at.device.serve(kList, hangs());
  at.device.serve(kDump, hangs()).serve(kUser, hangs());
  const auto asked = at.loop.start(check_compatibility(&at.device, kPackage, kVersions));
  at.loop.settle();
  CHECK(*at.device.opened() == std::vector<std::string>{kList, kUser, kDump});
  asked->cancel();
  at.loop.settle();
}

TEST_CASE("compatibility: one of the two failing is a report", "[loopback]") {
  const std::string there = "package:com.clawperator.operator\n";
  struct Row {
    const char* name;
    FakeService list, dump;
    Errc code;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"pm", prints("", "Can't find service: package", 20), prints("x"),
       errc::device_shell_unavailable},
      {"pm hangs", hangs(), prints("x"), errc::device_shell_unavailable},
      {"dumpsys", prints(there), prints("", "no", 1), errc::apk_version_unreadable},
      {"dumpsys hangs", prints(there), hangs(), errc::apk_version_unreadable},
  }));
  INFO(row.name);
  At at;
  at.device.serve("shell,v2,raw:", row.list).serve(kList, row.list).serve(kDump, row.dump);
  const auto report = at.check();
  REQUIRE(report);
  REQUIRE(report->problem);
  CHECK(report->problem->code() == row.code);
}

TEST_CASE("compatibility: a lost phone is an error of its own", "[loopback]") {
  At at;
  at.device.fails("shell,v2,raw:", {errc::io, "reset"});
  const auto report = at.check();
  REQUIRE_FALSE(report);
  CHECK(report.error().code() == errc::link_lost);
}

TEST_CASE("compatibility: the remediation names the phone", "[loopback]") {
  At at;
  at.device.serve(kList, prints("")).serve(kDump, prints(""));
  const auto report = at.check();
  REQUIRE(report);
  CHECK_THAT(report->remediation.back(), Catch::EndsWith(" --device phone-1"));
}

TEST_CASE("packages: all of them, and those that were added", "[loopback]") {
  SimDevice sim;
  const auto all = sim.run(list_packages(sim.device(), PackageKind::all));
  const auto added = sim.run(list_packages(sim.device(), PackageKind::third_party));
  REQUIRE(all);
  REQUIRE(added);
  CHECK(std::ranges::count(*all, "com.android.settings") == 1);
  CHECK(std::ranges::count(*added, "com.android.settings") == 0);
  CHECK(std::ranges::count(*added, kPackage) == 1);
}

TEST_CASE("packages: on every kind of phone", "[loopback]") {
  const auto off = GENERATE(values<std::vector<std::string>>(
      {{}, {"abb", "abb_exec"}, {"abb", "abb_exec", "cmd"}, {"abb", "abb_exec", "shell_v2"}}));
  SimDevice sim(off);
  const auto all = sim.run(list_packages(sim.device(), PackageKind::all));
  REQUIRE(all);
  CHECK(std::ranges::count(*all, kPackage) == 1);
}

TEST_CASE("packages: a package manager that fails is no empty phone", "[loopback]") {
  At at;
  at.device.serve("shell,v2,raw:", prints("", "Can't find service: package", 20));
  const auto all = at.time.run(at.loop, list_packages(&at.device, PackageKind::all));
  REQUIRE_FALSE(all);
  CHECK(all.error().code() == errc::device_shell_unavailable);
}
