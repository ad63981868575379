#include "runtime/host/permissions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using adbproto::Errc;

namespace {

using Words = std::vector<std::string>;

const std::string kPackage = "com.x";
const std::string kService = accessibility_component(kPackage);
const std::string kListener = notification_listener_component(kPackage);
const std::string kSettings = "shell,v2,raw:cmd settings ";
const std::string kGetServices = kSettings + "'get' 'secure' 'enabled_accessibility_services'";
const std::string kGetListeners = kSettings + "'get' 'secure' 'enabled_notification_listeners'";
const std::string kGetSwitch = kSettings + "'get' 'secure' 'accessibility_enabled'";
const std::string kPutSwitch = kSettings + "'put' 'secure' 'accessibility_enabled' '1'";
const std::string kPutServices = kSettings + "'put' 'secure' 'enabled_accessibility_services' ";
const std::string kPutListeners = kSettings + "'put' 'secure' 'enabled_notification_listeners' ";
const std::string kList = "shell,v2,raw:cmd package 'list' 'packages' 'com.x'";
const std::string kGrant =
    "shell,v2,raw:cmd package 'grant' 'com.x' 'android.permission.POST_NOTIFICATIONS'";

// A phone whose two lists of services are what was last put there.
struct At {
  std::string services = "null";
  std::string listeners = "null";
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd"}};

  At() {
    keeps("enabled_accessibility_services", &services);
    keeps("enabled_notification_listeners", &listeners);
    device.serve(kGetSwitch, prints("1\n"));
    device.serve(kPutSwitch, prints(""));
    device.serve(kGrant, prints(""));
    device.serve(kList, prints("package:com.x\n"));
  }
  void keeps(const std::string& key, std::string* value) {
    device.serve(kSettings + "'get' 'secure' '" + key + "'",
                 [value](adbproto::ByteStreamPtr stream, const std::string&) {
                   return write_text(std::move(stream), shell_output(*value + "\n"));
                 });
    const std::string put = kSettings + "'put' 'secure' '" + key + "' '";
    device.serve(put, [=](adbproto::ByteStreamPtr stream, const std::string& name) {
      *value = name.substr(put.size(), name.size() - put.size() - 1);
      return write_text(std::move(stream), shell_output(""));
    });
  }
  adbproto::Result<GrantReport> grant() {
    return time.run(loop, grant_permissions(&device, kPackage));
  }
  // The commands that change something, in their order.
  [[nodiscard]] Words writes() const {
    Words found;
    for (const std::string& name : *device.opened()) {
      if (!name.contains(" 'get' ") && !name.contains(" 'list' ")) found.push_back(name);
    }
    return found;
  }
};

}  // namespace

TEST_CASE("grants: a new phone gets all three, in the published order", "[loopback]") {
  At at;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->ok());
  CHECK_FALSE(report->accessibility.already_enabled);
  CHECK_FALSE(report->notification.skipped);
  CHECK_FALSE(report->notification_listener.already_enabled);
  CHECK(at.writes() == Words{kPutSwitch, kPutServices + "'" + kService + "'", kGrant,
                             kPutListeners + "'" + kListener + "'"});
}

TEST_CASE("grants: the entries of other apps stay", "[loopback]") {
  At at;
  at.services = "a/b:c/d";
  at.listeners = "e/f";
  REQUIRE(at.grant());
  CHECK(at.services == "a/b:c/d:" + kService);
  CHECK(at.listeners == "e/f:" + kListener);
}

TEST_CASE("grants: what is enabled already is not written again", "[loopback]") {
  At at;
  at.services = "a/b:" + kService;
  at.listeners = kListener;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->ok());
  CHECK(report->accessibility.already_enabled);
  CHECK(report->notification_listener.already_enabled);
  CHECK(at.writes() == Words{kGrant});
}

TEST_CASE("grants: a service that is listed while accessibility is off gets switched on",
          "[loopback]") {
  At at;
  at.services = kService;
  at.device.serve(kGetSwitch, prints("0\n"));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->accessibility.ok);
  CHECK_FALSE(report->accessibility.already_enabled);
  CHECK(at.writes().front() == kPutSwitch);
  CHECK(at.services == kService);
}

TEST_CASE("grants: what the device says of POST_NOTIFICATIONS", "[loopback]") {
  struct Row {
    const char* err;
    int status;
    bool ok, skipped;
  };
  const auto row = GENERATE(values<Row>({
      {"", 0, true, false},
      {"java.lang.IllegalArgumentException: Unknown permission: a.b", 255, true, true},
      {"Permission x is NOT A CHANGEABLE permission type", 255, true, true},
      {"already granted", 1, true, true},
      {"Unknown package: com.x", 255, false, false},
      {"", 1, false, false},
  }));
  INFO(row.err);
  At at;
  at.device.serve(kGrant, prints("", row.err, row.status));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->notification.ok == row.ok);
  CHECK(report->notification.skipped == row.skipped);
  CHECK(report->notification.error.has_value() == (row.status != 0));
  if (*row.err != '\0') CHECK(report->notification.error == row.err);
  CHECK(report->accessibility.ok);
  CHECK(report->notification_listener.ok);
}

TEST_CASE("grants: each goes on after one that failed", "[loopback]") {
  At at;
  at.device.serve(kPutSwitch, prints("", "SecurityException: no\n", 255));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->first_error() == "Could not set accessibility_enabled: SecurityException: no");
  CHECK(at.services == "null");
  CHECK(report->notification.ok);
  CHECK(report->notification_listener.ok);
}

TEST_CASE("grants: a setting that the device does not keep is a failure", "[loopback]") {
  At at;
  at.device.serve(kPutServices + "'" + kService, prints(""));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK_FALSE(report->accessibility.ok);
  CHECK(report->first_error() ==
        "The device did not keep " + kService + " in enabled_accessibility_services");
}

TEST_CASE("grants: a list that cannot be read is never written", "[loopback]") {
  struct Row {
    const char* name;
    FakeService answer;
  };
  const auto row = GENERATE(values<Row>({
      {"garbage", prints("a\x1b[2Jb\nc\n")},
      {"a failure", prints("", "Can't find service", 20)},
      {"endless", prints(std::string(60'000, 'x'))},
  }));
  INFO(row.name);
  At at;
  at.device.serve(kGetServices, row.answer);
  at.device.serve("shell,v2,raw:settings", row.answer);
  const auto report = at.grant();
  REQUIRE(report);
  CHECK_FALSE(report->accessibility.ok);
  CHECK_THAT(report->first_error(),
             Catch::StartsWith("Could not read enabled_accessibility_services: "));
  CHECK(at.services == "null");
  CHECK(report->notification_listener.ok);
}

TEST_CASE("grants: a phone that is lost at the beginning was not changed", "[loopback]") {
  At at;
  at.device.fails(kSettings, {Errc::io, "reset"});
  const auto report = at.grant();
  REQUIRE_FALSE(report);
  CHECK(report.error().code() == Errc::link_lost);
  CHECK(at.writes().empty());
}

TEST_CASE("grants: a phone that is lost in between leaves a report", "[loopback]") {
  At at;
  at.device.fails(kGrant, {Errc::closed, "gone"});
  AndroidServices services(&at.device);
  GrantReport report;
  const auto before = at.time.run(at.loop, read_permission_state(&services, kPackage));
  REQUIRE(before);
  const auto done = at.time.run(at.loop, write_grants(&services, kPackage, *before, &report));
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == Errc::link_lost);
  CHECK(report.accessibility.ok);
  CHECK_THAT(report.notification.error.value_or(""), Catch::StartsWith("interrupted"));
  CHECK(report.notification_listener.error == "not tried");
  CHECK_FALSE(report.ok());
}

TEST_CASE("grants: a phone that never answers costs a bounded time", "[loopback]") {
  At at;
  at.device.serve(kSettings, hangs());
  at.device.serve(kGetServices, hangs());
  at.device.serve(kGetListeners, hangs());
  at.device.serve(kGrant, hangs());
  const auto report = at.grant();
  REQUIRE(report);
  CHECK_FALSE(report->ok());
  CHECK(at.time.elapsed() <= 2 * kChoreLimit + std::chrono::seconds(1));
}

TEST_CASE("accessibility alone: one command takes a listed service off the list and puts it back",
          "[loopback]") {
  At at;
  at.services = "a/b:" + kService + ":c/d";
  at.device.serve("shell,v2,raw:trap", prints(""));
  const auto grant = at.time.run(at.loop, enable_accessibility(&at.device, kPackage));
  REQUIRE(grant);
  CHECK(grant->ok);
  CHECK(at.writes() == Words{"shell,v2,raw:trap '' HUP; "
                             "settings put secure enabled_accessibility_services 'a/b:c/d'; "
                             "settings put secure accessibility_enabled '1'; "
                             "settings put secure enabled_accessibility_services 'a/b:" +
                             kService + ":c/d'"});
}

TEST_CASE("accessibility alone: the only entry is deleted before it is put back", "[loopback]") {
  At at;
  at.services = kService;
  at.device.serve("shell,v2,raw:trap", prints(""));
  const auto grant = at.time.run(at.loop, enable_accessibility(&at.device, kPackage));
  REQUIRE(grant);
  CHECK(grant->ok);
  CHECK_THAT(at.writes().front(),
             Catch::Contains("; settings delete secure enabled_accessibility_services; "));
}

TEST_CASE("accessibility alone: a device that refuses, and one that forgets, are failures",
          "[loopback]") {
  At at;
  at.services = kService;
  at.device.serve("shell,v2,raw:trap", prints("", "not allowed\n", 1));
  const auto refused = at.time.run(at.loop, enable_accessibility(&at.device, kPackage));
  REQUIRE(refused);
  CHECK_FALSE(refused->ok);
  CHECK_THAT(*refused->error, Catch::Contains("not allowed"));
  at.device.serve("shell,v2,raw:trap", [&at](adbproto::ByteStreamPtr stream, const std::string&) {
    at.services = "null";
    return write_text(std::move(stream), shell_output(""));
  });
  const auto forgotten = at.time.run(at.loop, enable_accessibility(&at.device, kPackage));
  REQUIRE(forgotten);
  CHECK_FALSE(forgotten->ok);
}
