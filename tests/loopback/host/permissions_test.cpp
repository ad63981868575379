#include "runtime/host/permissions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

using Words = std::vector<std::string>;

const std::string kGranted = "com.x";
const std::string kService = accessibility_component(kGranted);
const std::string kListener = notification_listener_component(kGranted);
const std::string kReadServices = "shell,v2,raw:cmd settings '--user' '0' ";
const std::string kGetServices = kReadServices + "'get' 'secure' 'enabled_accessibility_services'";
const std::string kGetListeners = kReadServices + "'get' 'secure' 'enabled_notification_listeners'";
const std::string kGetSwitch = kReadServices + "'get' 'secure' 'accessibility_enabled'";
const std::string kPutSwitch = kReadServices + "'put' 'secure' 'accessibility_enabled' '1'";
const std::string kPutServices = kReadServices + "'put' 'secure' 'enabled_accessibility_services' ";
const std::string kPutListeners =
    kReadServices + "'put' 'secure' 'enabled_notification_listeners' ";
const std::string kListServices = "shell,v2,raw:cmd package 'list' 'packages' '--user' '0' 'com.x'";
const std::string kGrant =
    "shell,v2,raw:cmd package 'grant' '--user' '0' 'com.x' "
    "'android.permission.POST_NOTIFICATIONS'";
const std::string kUnrestrict =
    "shell,v2,raw:cmd appops set --user 0 'com.x' ACCESS_RESTRICTED_SETTINGS allow";
const std::string kAllow = "shell,v2,raw:cmd notification allow_listener '" + kListener + "' 0";
const std::string kNotifications = "shell,v2,raw:dumpsys notification";
const std::string kRelist = "shell,v2,raw:trap";

// A phone whose two lists of services are what was last put there.
struct PermissionsAt {
  std::string services = "null";
  std::string listeners = "null";
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2", "cmd"}};

  PermissionsAt() {
    keeps("enabled_accessibility_services", &services);
    keeps("enabled_notification_listeners", &listeners);
    device.serve(kGetSwitch, prints("1\n"));
    device.serve(kPutSwitch, prints(""));
    device.serve(kGrant, prints(""));
    device.serve(kListServices, prints("package:com.x\n"));
  }
  void keeps(const std::string& key, std::string* value) {
    device.serve(kReadServices + "'get' 'secure' '" + key + "'",
                 [value](adbproto::ByteStreamPtr stream, const std::string&) {
                   return write_text(std::move(stream), shell_output(*value + "\n"));
                 });
    const std::string put = kReadServices + "'put' 'secure' '" + key + "' '";
    device.serve(put, [=](adbproto::ByteStreamPtr stream, const std::string& name) {
      *value = name.substr(put.size(), name.size() - put.size() - 1);
      return write_text(std::move(stream), shell_output(""));
    });
  }
  Result<GrantReport> grant() { return time.run(loop, grant_permissions(&device, kGranted)); }
  // The commands that change something, in their order.
  [[nodiscard]] Words writes() const {
    Words found;
    for (const std::string& name : *device.opened()) {
      const bool asks = name.contains(" 'get' ") || name.contains(" 'list' ") ||
                        name.contains("get-current-user") || name.contains(":dumpsys ");
      if (!asks) found.push_back(name);
    }
    return found;
  }
};

}  // namespace

TEST_CASE("grants: a new phone gets all three, in the published order", "[loopback]") {
  PermissionsAt at;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->ok());
  CHECK_FALSE(report->accessibility.already_enabled);
  CHECK_FALSE(report->notification.skipped);
  CHECK_FALSE(report->notification_listener.already_enabled);
  CHECK(at.writes() == Words{kUnrestrict, kPutSwitch, kPutServices + "'" + kService + "'", kGrant,
                             kAllow, kPutListeners + "'" + kListener + "'"});
}

TEST_CASE("grants: the entries of other apps stay", "[loopback]") {
  PermissionsAt at;
  at.services = "a/b:c/d";
  at.listeners = "e/f";
  REQUIRE(at.grant());
  CHECK(at.services == "a/b:c/d:" + kService);
  CHECK(at.listeners == "e/f:" + kListener);
}

TEST_CASE("grants: what is enabled already is not written again", "[loopback]") {
  PermissionsAt at;
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
  PermissionsAt at;
  at.services = kService;
  at.device.serve(kGetSwitch, prints("0\n"));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->accessibility.ok);
  CHECK_FALSE(report->accessibility.already_enabled);
  CHECK(at.writes()[0] == kUnrestrict);
  CHECK(at.writes()[1] == kPutSwitch);
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
  PermissionsAt at;
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
  PermissionsAt at;
  at.device.serve(kPutSwitch, prints("", "SecurityException: no\n", 255));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->first_error() == "Could not set accessibility_enabled: SecurityException: no");
  CHECK(at.services == "null");
  CHECK(report->notification.ok);
  CHECK(report->notification_listener.ok);
}

TEST_CASE("grants: a setting that the device does not keep is a failure", "[loopback]") {
  PermissionsAt at;
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
  PermissionsAt at;
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
  PermissionsAt at;
  at.device.fails(kReadServices, {errc::io, "reset"});
  const auto report = at.grant();
  REQUIRE_FALSE(report);
  CHECK(report.error().code() == errc::link_lost);
  CHECK(at.writes().empty());
}

TEST_CASE("grants: a phone that is lost in between leaves a report", "[loopback]") {
  PermissionsAt at;
  at.device.fails(kGrant, {errc::closed, "gone"});
  AndroidServices services(&at.device);
  GrantReport report;
  const auto before = at.time.run(at.loop, read_permission_state(&services, kGranted));
  REQUIRE(before);
  const auto done = at.time.run(at.loop, write_grants(&services, kGranted, *before, &report));
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::link_lost);
  CHECK(report.accessibility.ok);
  CHECK_THAT(report.notification.error.value_or(""), Catch::StartsWith("interrupted"));
  CHECK(report.notification_listener.error == "not tried");
  CHECK_FALSE(report.ok());
}

TEST_CASE("grants: a phone that never answers costs a bounded time", "[loopback]") {
  PermissionsAt at;
  at.device.serve(kReadServices, hangs());
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
  PermissionsAt at;
  at.services = "a/b:" + kService + ":c/d";
  at.device.serve("shell,v2,raw:trap", prints(""));
  const auto grant = at.time.run(at.loop, enable_accessibility(&at.device, kGranted));
  REQUIRE(grant);
  CHECK(grant->ok);
  CHECK(at.writes() == Words{"shell,v2,raw:" +
                             relisting_line(0, {"enabled_accessibility_services",
                                                "accessibility_enabled", "a/b:c/d", at.services})});
}

TEST_CASE("accessibility alone: the only entry is deleted before it is put back", "[loopback]") {
  PermissionsAt at;
  at.services = kService;
  at.device.serve("shell,v2,raw:trap", prints(""));
  const auto grant = at.time.run(at.loop, enable_accessibility(&at.device, kGranted));
  REQUIRE(grant);
  CHECK(grant->ok);
  CHECK_THAT(at.writes().front(),
             Catch::Contains("; settings --user 0 delete secure enabled_accessibility_services; "));
}

TEST_CASE("accessibility alone: a device that refuses, and one that forgets, are failures",
          "[loopback]") {
  PermissionsAt at;
  at.services = kService;
  at.device.serve("shell,v2,raw:trap", prints("", "not allowed\n", 1));
  const auto refused = at.time.run(at.loop, enable_accessibility(&at.device, kGranted));
  REQUIRE(refused);
  CHECK_FALSE(refused->ok);
  CHECK_THAT(*refused->error, Catch::Contains("not allowed"));
  at.device.serve("shell,v2,raw:trap", [&at](adbproto::ByteStreamPtr stream, const std::string&) {
    at.services = "null";
    return write_text(std::move(stream), shell_output(""));
  });
  const auto forgotten = at.time.run(at.loop, enable_accessibility(&at.device, kGranted));
  REQUIRE(forgotten);
  CHECK_FALSE(forgotten->ok);
}

namespace {

// Android 8 and newer: a policy of its own; the setting of that name grants nothing.
struct Listening : PermissionsAt {
  bool granted = false;

  Listening() {
    device.serve(kAllow, [this](adbproto::ByteStreamPtr stream, const std::string&) {
      granted = true;
      return write_text(std::move(stream), shell_output(""));
    });
    device.serve(kNotifications, [this](adbproto::ByteStreamPtr stream, const std::string&) {
      return write_text(std::move(stream), shell_output(state()));
    });
  }
  [[nodiscard]] std::string state() const {
    return "    All notification listeners (1) enabled for current profiles:\n" +
           (granted ? "      ComponentInfo{" + kListener + "}\n" : std::string()) +
           "    Live notification listeners (0):\n";
  }
};

}  // namespace

TEST_CASE("listener: it is allowed by the system's own command, and the system's word confirms it",
          "[loopback][W5]") {
  Listening at;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->notification_listener.ok);
  CHECK_FALSE(report->notification_listener.already_enabled);
  CHECK(at.granted);
  CHECK(at.listeners == "null");
}

TEST_CASE("listener: an entry in the setting is no grant", "[loopback][W5]") {
  Listening at;
  at.listeners = kListener;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK_FALSE(report->notification_listener.already_enabled);
  CHECK(at.granted);
}

TEST_CASE("listener: a command that does nothing is not believed", "[loopback][W5]") {
  Listening at;
  at.device.serve(kAllow, prints(""));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK_FALSE(report->notification_listener.ok);
  CHECK_THAT(report->first_error(), Catch::Contains("did not allow"));
}

TEST_CASE("listener: what is granted already is left alone", "[loopback][W5]") {
  Listening at;
  at.granted = true;
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->notification_listener.already_enabled);
  CHECK(std::ranges::find(*at.device.opened(), kAllow) == at.device.opened()->end());
}

TEST_CASE("listener: Androids without the command get the setting", "[loopback][W5]") {
  const std::string says = GENERATE(
      as<std::string>{}, "No shell command implementation.\n", "Unknown command: allow_listener\n",
      "cmd: Can't find service: notification\n", "/system/bin/sh: cmd: not found\n");
  PermissionsAt at;
  at.device.serve(kAllow, prints(says));
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->notification_listener.ok);
  CHECK(at.listeners == kListener);
}

TEST_CASE("grants: a phone whose user in front is not the first gets it for that one",
          "[loopback][R23][W2]") {
  PermissionsAt at;
  at.device.serve("shell,v2,raw:cmd activity 'get-current-user'", prints("10\n"));
  for (const char* way : {"'get'", "'put'"}) {
    at.device.serve("shell,v2,raw:cmd settings '--user' '10' " + std::string(way), prints("1\n"));
  }
  at.device.serve("shell,v2,raw:cmd package 'list' 'packages' '--user' '10'",
                  prints("package:com.x\n"));
  at.device.serve("shell,v2,raw:cmd package 'grant' '--user' '10'", prints(""));
  REQUIRE(at.grant());
  for (const std::string& name : at.writes()) {
    INFO(name);
    CHECK((name.contains("--user' '10'") || name.contains("--user 10 ") || name.ends_with(" 10")));
  }
}

TEST_CASE("grants: a service that the system strikes out is enabled once more, then reported",
          "[loopback][R2][R3]") {
  const int strikes = GENERATE(1, 2);
  INFO(strikes << " times");
  PermissionsAt at;
  const std::string put = kPutServices + "'";
  std::chrono::milliseconds written{};
  int left = strikes;
  at.device.serve(put, [&, put](adbproto::ByteStreamPtr stream, const std::string& name) {
    at.services = name.substr(put.size(), name.size() - put.size() - 1);
    written = std::chrono::duration_cast<std::chrono::milliseconds>(at.time.elapsed());
    return write_text(std::move(stream), shell_output(""));
  });
  // The system reads the setting a second after it was written.
  at.device.serve(kGetServices, [&](adbproto::ByteStreamPtr stream, const std::string&) {
    if (at.services != "null" && left > 0 &&
        at.time.elapsed() - written >= std::chrono::seconds(1)) {
      --left;
      at.services = "null";
    }
    return write_text(std::move(stream), shell_output(at.services + "\n"));
  });
  const auto report = at.grant();
  REQUIRE(report);
  CHECK(report->accessibility.ok == (strikes == 1));
  CHECK(left == 0);
  if (strikes == 2) CHECK_THAT(report->first_error(), Catch::Contains("The system took"));
}
