#include "runtime/host/operator/compatibility.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

constexpr const char* kPackage = "com.clawperator.operator";
const ProgramVersions kVersions{"1.4.0", "0.12.5"};

std::string dump(const std::string& name, const std::string& code = "503900") {
  return "Packages:\n  Package [com.clawperator.operator] (5e1f0d1):\n    versionCode=" + code +
         " minSdk=21 targetSdk=35\n    versionName=" + name + "\n";
}

Compatibility judged(const std::string& dumpsys,
                     const std::string& listing = "package:com.clawperator.operator\n") {
  return judge_compatibility(kPackage, kVersions, listing, dumpsys);
}

}  // namespace

TEST_CASE("compatibility: an app that is not too old fits, with what it lacks", "[host][41]") {
  struct Row {
    const char* apk;
    bool compatible;
    bool lacks;
    bool noted;
  };
  const auto row = GENERATE(values<Row>({
      {"0.5.3", true, true, false},
      {"0.5.99", true, true, false},
      {"0.5.3-d", true, true, false},
      {"0.5.4-rc.1", true, true, false},
      {"0.6.0", true, true, false},
      {"0.12.5", true, false, false},
      {"1.0.3", true, false, false},
      {"1.5.3", true, false, true},
      {"99.0.0", true, false, true},
      {"0.5.2", false, false, false},
      {"0.4.3", false, false, false},
  }));
  INFO(row.apk);
  const auto report = judged(dump(row.apk));
  CHECK(report.compatible == row.compatible);
  CHECK(report.problem.has_value() != row.compatible);
  CHECK(report.apk_version == row.apk);
  CHECK(report.missing.empty() != row.lacks);
  CHECK(report.note.empty() != row.noted);
  if (row.compatible) {
    CHECK(report.remediation.empty());
    return;
  }
  CHECK(report.problem->code() == errc::version_incompatible);
  CHECK(report.problem->message() ==
        std::string("CLI 1.4.0 is not compatible with installed APK ") + row.apk + ".");
}

TEST_CASE("compatibility: what is installed decides which app is meant", "[host][41]") {
  const std::string claw = "package:com.clawperator.operator\n";
  const std::string andro = "package:com.androperator.operator\n";
  const auto judge = [](const std::string& listing, const NamedOperator& wanted = {}) {
    return judge_compatibility(wanted, kVersions, listing, dump("1.0.0"));
  };
  CHECK(judge(claw).operator_package == "com.clawperator.operator");
  CHECK(judge(andro).operator_package == "com.androperator.operator");
  CHECK(judge(andro).compatible);
  const auto both = judge(andro + claw);
  REQUIRE(both.problem);
  CHECK(both.problem->code() == errc::operator_ambiguous);
  CHECK(Json::parse(both.problem->members())["details"]["packages"] ==
        Json({"com.clawperator.operator", "com.androperator.operator"}));
  CHECK(both.remediation.back() == "Use this one: --operator-package com.androperator.operator");
  CHECK(judge(andro + claw, "com.androperator.operator").compatible);
}

TEST_CASE("compatibility: each problem has its code, in the published order", "[host]") {
  struct Row {
    const char* name;
    ProgramVersions versions;
    std::optional<std::string> listing, dumpsys;
    Errc code;
    const char* message;
  };
  const std::string here = "package:com.clawperator.operator\n";
  const auto row = GENERATE_COPY(values<Row>({
      {"our own version", {"x", "0.12.5"}, {}, {}, errc::cli_version_invalid, "CLI version x"},
      {"our APK version", {"1.0.0", "0.5"}, here, dump("0.5.3"), errc::cli_version_invalid, "0.5"},
      {"pm fails",
       kVersions,
       {},
       dump("0.5.3"),
       errc::device_shell_unavailable,
       "Could not query installed packages for com.clawperator.operator."},
      {"the other variant", kVersions, "package:com.clawperator.operator.dev\n", dump("0.5.3"),
       errc::operator_variant_mismatch, "Expected com.clawperator.operator but found"},
      {"absent", kVersions, "package:com.clawperator.operatorx\n", dump("0.5.3"),
       errc::operator_not_installed,
       "Package com.clawperator.operator is not installed on the device."},
      {"dumpsys fails", kVersions, here, {}, errc::apk_version_unreadable, "does not report"},
      {"dumpsys says nothing", kVersions, here, " \r", errc::apk_version_unreadable,
       "does not report"},
      {"no version in it", kVersions, here, "Packages:\n", errc::apk_version_unreadable,
       "names no version"},
      {"no version number", kVersions, here, dump("banana"), errc::apk_version_invalid, "banana"},
      {"another version", kVersions, here, dump("0.4.0"), errc::version_incompatible, "0.4.0"},
  }));
  INFO(row.name);
  const auto report = judge_compatibility(kPackage, row.versions, row.listing, row.dumpsys);
  CHECK_FALSE(report.compatible);
  REQUIRE(report.problem);
  CHECK(report.problem->code() == row.code);
  CHECK_THAT(report.problem->message(), Catch::Contains(row.message));
  CHECK_THAT(report.problem->members(), Catch::Contains("\"hint\""));
  CHECK_FALSE(report.remediation.empty());
  CHECK(report.apk_version.has_value() ==
        (row.code == errc::apk_version_invalid || row.code == errc::version_incompatible));
}

TEST_CASE("compatibility: the remediation names download, checksum and setup", "[host]") {
  const auto report = judged("", "");
  const auto& steps = report.remediation;
  REQUIRE(steps.size() == 5);
  CHECK_THAT(steps[0], Catch::EndsWith("https://downloads.clawperator.com/operator/v0.12.5/"
                                       "operator-v0.12.5.apk"));
  CHECK_THAT(steps[1], Catch::EndsWith("operator-v0.12.5.apk.sha256"));
  CHECK_THAT(steps[2], Catch::Contains("sha256sum -c operator-v0.12.5.apk.sha256"));
  CHECK_THAT(steps[4], Catch::EndsWith("clawperator operator setup --apk "
                                       "~/.clawperator/downloads/operator.apk"));
  const auto debug = judge_compatibility("com.clawperator.operator.dev", kVersions, "", "");
  CHECK_THAT(debug.remediation.back(), Catch::Contains("operator-debug.apk"));
  CHECK_THAT(debug.remediation.back(),
             Catch::Contains("--operator-package com.clawperator.operator.dev"));
}

TEST_CASE("compatibility: foreign words in what is to be run are quoted", "[host]") {
  const std::string package = "a;id";
  const auto other = judge_compatibility(package, kVersions, "package:a;id.dev\n", "");
  CHECK(other.remediation.front() == "Use the installed variant: --operator-package 'a;id.dev'");
  // Read by this computer's shell, then by the device's.
  const auto dumb = judge_compatibility(package, kVersions, "package:a;id\n", "");
  CHECK_THAT(dumb.remediation.front(), Catch::EndsWith(R"(dumpsys package ''"'"'a;id'"'"'')"));
}

TEST_CASE("compatibility: the report's members, without those that are not known", "[host]") {
  const auto good = Json::parse(to_json(judged(dump("0.12.5", "1205900")), kVersions));
  CHECK(
      good.dump() ==
      R"({"cliVersion":"1.4.0","apkCompat":"0.12.5","apkVersion":"0.12.5","apkVersionCode":1205900,)"
      R"("operatorPackage":"com.clawperator.operator","compatible":true})");
  CHECK_FALSE(Json::parse(to_json(judged(dump("0.12.4")), kVersions)).contains("missing"));
  const auto lacking = Json::parse(to_json(judged(dump("0.12.3")), kVersions));
  CHECK(lacking["missing"] ==
        Json::parse(R"([{"feature":"submission","needs":"0.12.4","command":"type"}])"));
  const auto bad = Json::parse(to_json(judged("", ""), kVersions));
  CHECK_FALSE(bad.contains("apkVersion"));
  CHECK_FALSE(bad.contains("apkVersionCode"));
  CHECK_FALSE(bad.contains("code"));
  CHECK(bad["compatible"] == false);
  CHECK(bad["error"]["code"] == "OPERATOR_NOT_INSTALLED");
  CHECK(bad["remediation"].size() == 5);
}
