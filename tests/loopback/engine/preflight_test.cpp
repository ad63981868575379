#include "runtime/engine/preflight.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/engine/errc.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

struct At {
  Result<std::vector<std::string>> check(NamedOperator package) {
    const auto found = time.run(loop, find_operator(&channel, package));
    return judge_operator(found, channel, package, "phone-1");
  }
  Result<void> stop(const Execution& execution) {
    return time.run(loop, stop_closed_apps(&channel, &execution));
  }
  ManualTime time;
  Loop loop;
  FakeDevice device{loop, {"shell_v2"}};
  CommandChannel channel{&device};
};

Action close_app(std::string id, std::string application) {
  return {CloseApp{std::move(application)}, std::move(id)};
}

}  // namespace

TEST_CASE("preflight: one question finds both variants", "[loopback]") {
  struct Row {
    const char* name;
    const char* package;
    const char* printed;
    std::size_t warnings;
    bool found;
  };
  const auto row = GENERATE(values<Row>({
      {"release", "com.x", "package:com.x\n", 0, true},
      {"both", "com.x", "package:com.x.dev\npackage:com.x\n", 0, true},
      {"only debug, release asked", "com.x", "package:com.x.dev\n", 1, true},
      {"only release, debug asked", "com.x.dev", "package:com.x\n", 1, true},
      {"debug", "com.x.dev", "package:com.x.dev\n", 0, true},
      {"longer names", "com.x", "package:com.xy\npackage:com.x.developer\n", 0, false},
      {"none", "com.x", "", 0, false},
  }));
  INFO(row.name);
  At at;
  at.device.serve("shell,v2,raw:cmd package", prints(row.printed));
  const auto warnings = at.check(row.package);
  CHECK(at.device.opened()->front() ==
        "shell,v2,raw:cmd package 'list' 'packages' '--show-versioncode' '--user' '0' 'com.x'");
  REQUIRE(warnings.has_value() == row.found);
  if (row.found) {
    CHECK(warnings->size() == row.warnings);
  } else {
    CHECK(warnings.error().code() == errc::operator_not_installed);
  }
}

TEST_CASE("preflight: one question finds both families, with their versions", "[loopback][41]") {
  At at;
  at.device.serve("shell,v2,raw:cmd package",
                  prints("package:com.clawperator.operator versionCode:1205900\n"
                         "package:com.androperator.operator versionCode:10000900\n"));
  at.device.serve("shell,v2,raw:cmd activity", prints("0\n"));
  const auto both = at.check(std::nullopt);
  CHECK(at.device.opened()->front() ==
        "shell,v2,raw:cmd package 'list' 'packages' '--show-versioncode' '--user' '0' "
        "'perator.operator'");
  REQUIRE_FALSE(both);
  CHECK(both.error().code() == errc::operator_ambiguous);
  CHECK_THAT(both.error().message(), Catch::Contains("com.clawperator.operator") &&
                                         Catch::Contains("com.androperator.operator") &&
                                         Catch::Contains("--operator-package"));
  CHECK(at.check("com.androperator.operator"));
  CHECK(at.check("com.clawperator.operator"));
}

TEST_CASE("preflight: a phone without that option gets the query without it", "[loopback]") {
  At at;
  at.device.serve("shell,v2,raw:cmd activity", prints("0\n"));
  at.device.serve("shell,v2,raw:", prints("Error: Unknown option: --show-versioncode\n", "", 255));
  at.device.serve("shell,v2,raw:cmd package 'list' 'packages' '--user'",
                  prints("package:com.clawperator.operator\n"));
  const auto found = at.time.run(at.loop, find_operator(&at.channel, std::nullopt));
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK_FALSE(found->front().version);
  const std::size_t asked = at.device.opened()->size();
  REQUIRE(at.time.run(at.loop, find_operator(&at.channel, std::nullopt, 24)));
  CHECK(at.device.opened()->size() == asked + 1);
}

TEST_CASE("preflight: the user in front decides", "[loopback][W2][R23]") {
  struct Row {
    const char* name;
    const char* user_0;
    const char* user_10;
    const char* front;
    bool found;
  };
  const auto row = GENERATE(values<Row>({
      {"an ordinary phone", "package:com.x\n", "", "0\n", true},
      {"a television: the system's user runs nothing", "", "package:com.x\n", "10\n", true},
      {"a second user in front lacks the app", "package:com.x\n", "", "10\n", false},
      {"a phone that reports no user", "package:com.x\n", "", "what?\n", true},
      {"no user has it", "", "", "10\n", false},
  }));
  INFO(row.name);
  At at;
  at.device.serve("shell,v2,raw:cmd package 'list' 'packages' '--show-versioncode' '--user' '0'",
                  prints(row.user_0));
  at.device.serve("shell,v2,raw:cmd package 'list' 'packages' '--show-versioncode' '--user' '10'",
                  prints(row.user_10));
  at.device.serve("shell,v2,raw:cmd activity 'get-current-user'", prints(row.front));
  CHECK(at.check("com.x").has_value() == row.found);
  CHECK(at.channel.rungs().of(AndroidService::activity) == Rung::cmd);
}

TEST_CASE("preflight: where the way to activity is proved only the package is queried",
          "[loopback]") {
  At at;
  at.device.serve("shell,v2,raw:cmd package", prints("package:com.x\n"));
  at.device.serve("shell,v2,raw:cmd activity", prints("0\n"));
  REQUIRE(at.check("com.x"));
  CHECK(at.device.opened()->size() == 2);
  REQUIRE(at.check("com.x"));
  CHECK(at.device.opened()->size() == 3);
}

TEST_CASE("preflight: a missing Operator comes with the command that installs it", "[loopback]") {
  struct Row {
    const char* package;
    const char* command;
  };
  const auto row = GENERATE(values<Row>({
      {"com.clawperator.operator",
       "clawperator operator setup --apk ~/.clawperator/downloads/operator.apk --device phone-1"},
      {"com.clawperator.operator.dev",
       "clawperator operator setup --apk ~/.clawperator/downloads/operator-debug.apk --device "
       "phone-1 --operator-package com.clawperator.operator.dev"},
  }));
  At at;
  at.device.serve("shell,v2,raw:cmd package", prints(""));
  const auto missing = at.check(row.package);
  REQUIRE_FALSE(missing);
  const auto members = nlohmann::json::parse(missing.error().members());
  CHECK(members["details"]["installCommand"] == row.command);
  CHECK_THAT(missing.error().message(), Catch::Contains(row.package));
}

TEST_CASE("preflight: a package manager that fails leaves it open, and says why",
          "[loopback][F13]") {
  At at;
  at.device.serve("shell,v2,raw:", prints("", "Can't find service: package", 20));
  const auto missing = at.check("com.x");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code() == errc::operator_not_installed);
  CHECK_THAT(missing.error().members(), Catch::Contains("Can't find service"));
  CHECK_THAT(missing.error().message(),
             Catch::Contains("Cannot find out whether") && Catch::Contains("Can't find service"));
}

TEST_CASE("preflight: apps are stopped one after the other, up to the first failure",
          "[loopback]") {
  At at;
  at.device.serve("shell,v2,raw:cmd activity", prints(""));
  at.device.serve("shell,v2,raw:cmd activity 'force-stop' 'b'", prints("", "no such app\n", 1));
  Execution execution;
  execution.actions = {close_app("1", "a"), close_app("2", "b"), close_app("3", "c")};
  const auto stopped = at.stop(execution);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code() == errc::device_shell_unavailable);
  CHECK_THAT(stopped.error().message(), Catch::Contains("no such app"));
  const auto details = nlohmann::json::parse(stopped.error().members())["details"];
  CHECK(details["applicationId"] == "b");
  CHECK(details["stderr"] == "no such app\n");
  CHECK(at.device.opened()->size() == 2);
}

TEST_CASE("preflight: executions without close_app ask nothing", "[loopback]") {
  At at;
  Execution execution;
  execution.actions = {Click{}};
  CHECK(at.stop(execution));
  CHECK(at.device.opened()->empty());
}
