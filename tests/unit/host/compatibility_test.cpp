#include "runtime/host/compatibility.hpp"
#include "runtime/contract/errc.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPackage = "com.clawperator.operator";
const ProgramVersions kVersions{"1.4.0", "0.5.3"};

std::string dump(const std::string& name, const std::string& code = "503900") {
  return "Packages:\n  Package [com.clawperator.operator] (5e1f0d1):\n    versionCode=" + code +
         " minSdk=21 targetSdk=35\n    versionName=" + name + "\n";
}

Compatibility judged(const std::string& dumpsys,
                     const std::string& listing = "package:com.clawperator.operator\n") {
  return judge_compatibility(kPackage, kVersions, listing, dumpsys);
}

}  // namespace

TEST_CASE("version: three numbers and a suffix that does not count", "[host]") {
  struct Row {
    const char* text;
    std::optional<Version> version;
  };
  const auto row = GENERATE(values<Row>({
      {"0.5.3", Version{0, 5, 3}},
      {"10.20.30", Version{10, 20, 30}},
      {"0.5.3-d", Version{0, 5, 3}},
      {"1.2.3-rc.1", Version{1, 2, 3}},
      {"1.2.3-rc.1-d", Version{1, 2, 3}},
      {"", {}},
      {"0.5", {}},
      {"0.5.", {}},
      {"v0.5.3", {}},
      {"0.5.3.1", {}},
      {"0.5.3-", {}},
      {"0.5.3+x", {}},
      {"0.5.3 ", {}},
      {" 0.5.3", {}},
      {"0.-5.3", {}},
      {"0.+5.3", {}},
      {"0..3", {}},
      {"99999999999.0.0", {}},
      {"null", {}},
      {"0.5.3-\x1b[31m", {}},
  }));
  INFO(row.text);
  CHECK(parse_version(row.text) == row.version);
}

TEST_CASE("dumpsys: the first version that is not of a hidden system package", "[host]") {
  struct Row {
    const char* name;
    std::string text;
    std::optional<std::string> version, code;
  };
  const auto row = GENERATE(values<Row>({
      {"usual", dump("0.5.3"), "0.5.3", "503900"},
      {"debug", dump("0.5.3-d"), "0.5.3-d", "503900"},
      {"CRLF", "Packages:\r\n    versionCode=7 x\r\n    versionName=0.5.3\r\n", "0.5.3", "7"},
      {"hidden first",
       "Hidden system packages:\n  Package [x]\n    versionCode=1\n    versionName=0.1.0\n" +
           dump("0.5.3"),
       "0.5.3", "503900"},
      {"hidden last",
       dump("0.5.3") + "Hidden system packages:\n    versionCode=1\n    versionName=0.1.0\n",
       "0.5.3", "503900"},
      {"only hidden", "Hidden system packages:\n    versionName=0.1.0\n", {}, {}},
      {"nothing", "", {}, {}},
      {"not found", "Unable to find package: x\n", {}, {}},
      {"empty name", "Packages:\n    versionName=\n", {}, {}},
      {"no code", "Packages:\n    versionName=0.5.3\n    versionCode=x\n", "0.5.3", {}},
      {"endless code", "Packages:\n    versionCode=" + std::string(400, '9') + "\n", {}, {}},
      {"a name within a line", "Packages:\n    x versionName=0.5.3\n", {}, {}},
      {"endless name",
       "Packages:\n  versionName=" + std::string(5000, 'v') + "\n",
       std::string(256, 'v'),
       {}},
  }));
  INFO(row.name);
  const auto installed = parse_installed_version(row.text);
  CHECK(installed.name == row.version);
  CHECK(installed.code == row.code);
}

TEST_CASE("compatibility: major and minor decide", "[host]") {
  struct Row {
    const char* apk;
    bool compatible;
  };
  const auto row = GENERATE(values<Row>({
      {"0.5.3", true},
      {"0.5.0", true},
      {"0.5.99", true},
      {"0.5.3-d", true},
      {"0.5.4-rc.1", true},
      {"0.4.3", false},
      {"0.6.0", false},
      {"1.5.3", false},
  }));
  INFO(row.apk);
  const auto report = judged(dump(row.apk));
  CHECK(report.compatible == row.compatible);
  CHECK(report.problem.has_value() != row.compatible);
  CHECK(report.apk_version == row.apk);
  if (row.compatible) {
    CHECK(report.remediation.empty());
    return;
  }
  CHECK(report.problem->code() == errc::version_incompatible);
  CHECK(report.problem->message() ==
        std::string("CLI 1.4.0 is not compatible with installed APK ") + row.apk + ".");
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
      {"our own version", {"x", "0.5.3"}, {}, {}, errc::cli_version_invalid, "CLI version x"},
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
      {"dumpsys fails", kVersions, here, {}, errc::apk_version_unreadable, "does not tell"},
      {"dumpsys says nothing", kVersions, here, " \r", errc::apk_version_unreadable,
       "does not tell"},
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
  CHECK_THAT(steps[0], Catch::EndsWith("https://downloads.clawperator.com/operator/v0.5.3/"
                                       "operator-v0.5.3.apk"));
  CHECK_THAT(steps[1], Catch::EndsWith("operator-v0.5.3.apk.sha256"));
  CHECK_THAT(steps[2], Catch::Contains("sha256sum -c operator-v0.5.3.apk.sha256"));
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
  const auto good = Json::parse(to_json(judged(dump("0.5.1", "501900")), kVersions));
  CHECK(good.dump() ==
        R"({"cliVersion":"1.4.0","apkCompat":"0.5.3","apkVersion":"0.5.1","apkVersionCode":501900,)"
        R"("operatorPackage":"com.clawperator.operator","compatible":true})");
  const auto bad = Json::parse(to_json(judged("", ""), kVersions));
  CHECK_FALSE(bad.contains("apkVersion"));
  CHECK_FALSE(bad.contains("apkVersionCode"));
  CHECK_FALSE(bad.contains("code"));
  CHECK(bad["compatible"] == false);
  CHECK(bad["error"]["code"] == "OPERATOR_NOT_INSTALLED");
  CHECK(bad["remediation"].size() == 5);
}
