#include "runtime/host/doctor/report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/device/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;
using Step = FixStep::Kind;

namespace {

Check check(std::string id, CheckStatus status) {
  Check check{.id = std::move(id), .status = status, .summary = "it is so"};
  if (status != CheckStatus::pass) check.code = errc::no_devices;
  return check;
}

Report report(std::vector<Check> checks) {
  Report report;
  report.operator_package = "com.clawperator.operator";
  report.checks = std::move(checks);
  return report;
}

std::vector<std::string> names(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("doctor report: the members stand in the published order", "[host]") {
  Report full = report({check("device.discovery", CheckStatus::fail)});
  full.device_id = "emulator-5554";
  Check& bad = full.checks.front();
  bad.detail = "detail";
  bad.fix = Fix{"Connect", {{Step::shell, "clawperator devices"}}, std::string(kDevicesTopic)};
  bad.guidance = DeviceGuidance{"Settings", {"Tap."}};
  bad.evidence = R"({"serial":"x"})";
  const Json json = Json::parse(to_json(full));
  CHECK(names(json) == std::vector<std::string>{"ok", "criticalOk", "deviceId", "operatorPackage",
                                                "checks", "nextActions"});
  const Json& first = json["checks"][0];
  CHECK(names(first) == std::vector<std::string>{"id", "status", "code", "summary", "detail", "fix",
                                                 "deviceGuidance", "evidence"});
  CHECK(first["code"] == "NO_DEVICES");
  CHECK(first["fix"] == Json::parse(R"({"title":"Connect","platform":"any",
      "steps":[{"kind":"shell","value":"clawperator devices"}],"help":"clawperator help devices"})"));
  CHECK(first["deviceGuidance"] == Json::parse(R"({"screen":"Settings","steps":["Tap."]})"));
}

TEST_CASE("doctor report: absent members are left out", "[host]") {
  const Json json = Json::parse(to_json(report({check("device.capability", CheckStatus::pass)})));
  CHECK_FALSE(json.contains("deviceId"));
  CHECK_FALSE(json.contains("fixes"));
  CHECK(names(json["checks"][0]) == std::vector<std::string>{"id", "status", "summary"});
}

TEST_CASE("doctor report: only a failed critical check makes it fail", "[host]") {
  struct Row {
    const char* id;
    CheckStatus status;
    bool ok;
  };
  const auto row = GENERATE(values<Row>({
      {"host.adb.server", CheckStatus::fail, false},
      {"host.adb.server", CheckStatus::warn, true},
      {"host.adb.keys", CheckStatus::fail, false},
      {"host.usb.access", CheckStatus::fail, false},
      {"host.java.version", CheckStatus::fail, false},
      {"build.android.assemble", CheckStatus::fail, false},
      {"build.android.launch", CheckStatus::fail, false},
      {"device.discovery", CheckStatus::fail, false},
      {"device.discovery", CheckStatus::warn, true},
      {"device.capability", CheckStatus::fail, false},
      {"readiness.apk.presence", CheckStatus::fail, false},
      {"readiness.apk.presence", CheckStatus::warn, true},
      {"readiness.version.compatibility", CheckStatus::fail, false},
      {"readiness.handshake", CheckStatus::fail, false},
      {"readiness.smoke", CheckStatus::fail, false},
      {"readiness.settings.dev_options", CheckStatus::fail, true},
      {"readiness.settings.usb_debugging", CheckStatus::warn, true},
  }));
  INFO(row.id);
  const Report judged = report({check(row.id, row.status)});
  CHECK(critical_ok(judged) == row.ok);
  const Json json = Json::parse(to_json(judged));
  CHECK(json["ok"] == row.ok);
  CHECK(json["criticalOk"] == row.ok);
}

TEST_CASE("doctor report: when all passed, the next action is a snapshot of that device",
          "[host]") {
  Report good = report({check("device.discovery", CheckStatus::pass)});
  good.device_id = "S1";
  const auto actions = next_actions(good);
  REQUIRE(actions.size() == 2);
  CHECK_THAT(actions[0], Catch::Matchers::Equals("Help: clawperator help"));
  CHECK(actions[1] == "Try: clawperator snapshot --device S1");
}

TEST_CASE("doctor report: next actions follow the checks, without repetition", "[host]") {
  Report bad = report({check("a", CheckStatus::warn), check("b", CheckStatus::pass),
                       check("c", CheckStatus::fail), check("d", CheckStatus::warn)});
  bad.checks[0].fix = Fix{"t", {{Step::shell, "one"}, {Step::manual, "two"}}, {}};
  bad.checks[1].fix = Fix{"t", {{Step::shell, "of a check that passed"}}, {}};
  bad.checks[2].fix = Fix{"t", {{Step::shell, "one"}, {Step::shell, "three"}}, {}};
  bad.checks[2].guidance = DeviceGuidance{"Settings > Accessibility", {"Switch it on."}};
  CHECK(next_actions(bad) ==
        std::vector<std::string>{
            "one", "two", "three",
            "On device, open Settings > Accessibility and follow the listed steps."});
  const Report hopeless = report({check("a", CheckStatus::fail)});
  CHECK(next_actions(hopeless).empty());
  CHECK_FALSE(Json::parse(to_json(hopeless)).contains("nextActions"));
}

TEST_CASE("doctor report: a repair has the check before and after", "[host]") {
  Report fixed = report({});
  fixed.fixing = true;
  CHECK(Json::parse(to_json(fixed))["fixes"] == Json::array());
  fixed.repairs = {{.action = "settings put global adb_enabled 1",
                    .before = check("readiness.settings.usb_debugging", CheckStatus::warn),
                    .after = check("readiness.settings.usb_debugging", CheckStatus::pass)}};
  CHECK(Json::parse(to_json(fixed))["fixes"] == Json::parse(R"([{
      "id":"readiness.settings.usb_debugging","action":"settings put global adb_enabled 1",
      "ok":true,"before":{"status":"warn","code":"NO_DEVICES","summary":"it is so"},
      "after":{"status":"pass","summary":"it is so"}}])"));
  fixed.repairs[0].error = Error(errc::adb_not_found, "no adb");
  const Json failed = Json::parse(to_json(fixed))["fixes"][0];
  CHECK(failed["ok"] == false);
  CHECK(failed["error"] == Json::parse(R"({"code":"ADB_NOT_FOUND","message":"no adb"})"));
}

TEST_CASE("doctor report: an error contains the repairs before it", "[host]") {
  const Error late(errc::deadline_exceeded, "too late");
  Report fixed = report({});
  CHECK(with_fixes(late, fixed).members().empty());
  fixed.repairs = {{.action = "adb start-server",
                    .before = check("host.adb.server", CheckStatus::fail),
                    .after = check("host.adb.server", CheckStatus::pass)}};
  const Json error = Json::parse(with_fixes(late, fixed).members());
  REQUIRE(error["details"]["fixes"].size() == 1);
  CHECK(error["details"]["fixes"][0]["action"] == "adb start-server");
  CHECK(error["details"]["fixes"][0]["ok"] == true);
}

TEST_CASE("doctor report: foreign words in commands to copy are quoted", "[host]") {
  Report good = report({check("device.discovery", CheckStatus::pass)});
  good.device_id = "$(reboot)";
  CHECK(next_actions(good).back() == "Try: clawperator snapshot --device '$(reboot)'");
}

TEST_CASE("doctor report: hostile text of a device stays text", "[host]") {
  Report hostile = report({check("device.capability", CheckStatus::fail)});
  hostile.checks[0].detail = "\xff\"\x1b[2J\n{";
  hostile.device_id = "a\"b";
  const Json json = Json::parse(to_json(hostile));
  CHECK(json["deviceId"] == "a\"b");
  CHECK(json["checks"][0]["detail"] == "\xef\xbf\xbd\"\x1b[2J\n{");
}
