#include "runtime/contract/operator_app.hpp"

#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/contract/parse.hpp"

using namespace clawperator;

namespace {

std::vector<std::string> names_of(const std::vector<const OperatorFeature*>& features) {
  std::vector<std::string> names;
  for (const OperatorFeature* feature : features) names.emplace_back(feature->name);
  return names;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Execution plan(const std::string& actions) {
  return parse_execution(
             R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
             R"("timeoutMs":2000,"actions":[)" +
             actions + "]}")
      .value();
}

}  // namespace

TEST_CASE("names: everything follows the family of the package", "[contract]") {
  struct Row {
    const char* package;
    const char* action;
    const char* service;
    const char* activity;
  };
  const auto row = GENERATE(values<Row>({
      {"com.clawperator.operator", "app.clawperator.operator.ACTION_AGENT_COMMAND",
       "/clawperator.operator.accessibilityservice.OperatorAccessibilityService",
       "/clawperator.activity.MainActivity"},
      {"com.clawperator.operator.dev", "app.clawperator.operator.ACTION_AGENT_COMMAND",
       "/clawperator.operator.accessibilityservice.OperatorAccessibilityService",
       "/clawperator.activity.MainActivity"},
      {"com.androperator.operator", "app.androperator.operator.ACTION_AGENT_COMMAND",
       "/androperator.operator.accessibilityservice.OperatorAccessibilityService",
       "/androperator.activity.MainActivity"},
      {"com.androperator.operator.dev", "app.androperator.operator.ACTION_AGENT_COMMAND",
       "/androperator.operator.accessibilityservice.OperatorAccessibilityService",
       "/androperator.activity.MainActivity"},
      {"org.mine", "app.clawperator.operator.ACTION_AGENT_COMMAND",
       "/clawperator.operator.accessibilityservice.OperatorAccessibilityService",
       "/clawperator.activity.MainActivity"},
  }));
  const std::string package = row.package;
  CHECK(family_of(package).broadcast_action == row.action);
  CHECK(accessibility_component(package) == package + row.service);
  CHECK(main_activity_component(package) == package + row.activity);
  CHECK(notification_listener_component(package) ==
        package + "/action.notification.NotificationListenerService");
  CHECK(is_published_operator(package) == (package != "org.mine"));
}

TEST_CASE("names: one question finds them all", "[contract]") {
  CHECK(operator_filter(std::nullopt) == "perator.operator");
  CHECK(operator_filter("com.androperator.operator.dev") == "perator.operator");
  CHECK(operator_filter("com.x.dev") == "com.x");
  CHECK(operator_filter("com.x") == "com.x");
  CHECK_FALSE(is_published_operator("com.clawperator.operatorx"));
  CHECK_FALSE(is_published_operator(".dev"));
}

TEST_CASE("version: three numbers and a suffix that does not count", "[contract]") {
  struct Row {
    const char* text;
    std::optional<OperatorVersion> version;
  };
  const auto row = GENERATE(values<Row>({
      {"0.5.3", OperatorVersion{0, 5, 3}},
      {"10.20.30", OperatorVersion{10, 20, 30}},
      {"0.5.3-d", OperatorVersion{0, 5, 3}},
      {"1.2.3-rc.1", OperatorVersion{1, 2, 3}},
      {"1.2.3-rc.1-d", OperatorVersion{1, 2, 3}},
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
  CHECK((parse_version(row.text) == row.version));
}

TEST_CASE("version: the code that the package manager lists", "[contract]") {
  struct Row {
    std::int64_t code;
    std::optional<OperatorVersion> version;
  };
  const auto row = GENERATE(values<Row>({
      {503900, OperatorVersion{0, 5, 3}},
      {1001900, OperatorVersion{0, 10, 1}},
      {1205900, OperatorVersion{0, 12, 5}},
      {10000900, OperatorVersion{1, 0, 0}},
      {990000900, OperatorVersion{99, 0, 0}},
      {1205000, {}},  // another scheme of numbers
      {0, {}},
      {1, {}},
      {-503900, {}},
      {999'999'999'999'999'999, {}},
  }));
  INFO(row.code);
  CHECK((version_of_code(row.code) == row.version));
}

TEST_CASE("dumpsys: the first version that is not of a hidden system package", "[contract]") {
  const auto dump = [](const std::string& name, const std::string& code = "503900") {
    return "Packages:\n  Package [com.clawperator.operator] (5e1f0d1):\n    versionCode=" + code +
           " minSdk=21 targetSdk=35\n    versionName=" + name + "\n";
  };
  struct Row {
    const char* name;
    std::string text;
    std::optional<std::string> version, code;
  };
  const auto row = GENERATE_COPY(values<Row>({
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

TEST_CASE("features: what each version lacks", "[contract][41]") {
  const auto lacks = [](OperatorVersion version, std::string_view feature) {
    return has(names_of(missing_features(version)), feature);
  };
  CHECK(lacks({0, 5, 3}, "clear"));
  CHECK_FALSE(lacks({0, 7, 0}, "clear"));
  CHECK(lacks({0, 9, 1}, "open_app_waits"));
  CHECK_FALSE(lacks({0, 9, 2}, "open_app_waits"));
  CHECK(lacks({0, 9, 5}, "container"));
  CHECK(lacks({0, 9, 5}, "long_results"));
  CHECK_FALSE(lacks({0, 10, 0}, "container"));
  CHECK(lacks({0, 12, 2}, "snapshot_in_result"));
  CHECK_FALSE(lacks({0, 12, 3}, "snapshot_in_result"));
  CHECK(lacks({0, 12, 3}, "submission"));
  CHECK(missing_features(kNewestOperator).empty());
  CHECK(missing_features({99, 0, 0}).empty());
}

TEST_CASE("features: a report names the version and the command", "[contract]") {
  const auto missing = missing_features({0, 12, 3});
  REQUIRE(missing.size() >= 1);
  const auto json = nlohmann::json::parse(missing_json(missing));
  CHECK(json[0]["feature"] == "submission");
  CHECK(json[0]["needs"] == "0.12.4");
  CHECK(json[0]["command"] == "type");
  CHECK(missing_lines(missing).front() ==
        "type: The app does not report whether a text was submitted. Needs 0.12.4.");
}

TEST_CASE("features: the table is whole", "[contract]") {
  for (const OperatorFeature& feature : operator_feature_table()) {
    INFO(feature.name);
    CHECK(feature.since > kOldestOperator);
    CHECK(feature.since <= kNewestOperator);
    CHECK_FALSE(feature.command.empty());
    CHECK(feature.missing.ends_with('.'));
    const bool gates = feature.too_old != TooOld::answers_less;
    CHECK(gates == (!feature.actions.empty() || !feature.member.empty()));
  }
}

TEST_CASE("features: what a plan uses of them", "[contract]") {
  struct Row {
    const char* name;
    const char* actions;
    std::vector<std::string> used;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", R"({"id":"a","type":"click","params":{"matcher":{"textEquals":"x"}}})", {}},
      {"clear",
       R"({"id":"a","type":"enter_text","params":{"matcher":{"role":"r"},"text":"x","clear":true}})",
       {"clear"}},
      {"clear that is not wanted",
       R"({"id":"a","type":"enter_text","params":{"matcher":{"role":"r"},"text":"x","clear":false}})",
       {}},
      {"a text that has the word",
       R"({"id":"a","type":"enter_text","params":{"matcher":{"role":"r"},"text":"clear container"}})",
       {}},
      {"a container where old apps know it",
       R"({"id":"a","type":"read_text","params":{"matcher":{"role":"r"},"container":{"role":"c"}}})",
       {}},
      {"and where they do not",
       R"({"id":"a","type":"click","params":{"matcher":{"role":"r"},"container":{"role":"c"}}})",
       {"container"}},
  }));
  INFO(row.name);
  const Execution execution = plan(row.actions);
  std::vector<std::string> used;
  for (const FeatureUse& use : feature_uses(execution)) {
    used.emplace_back(use.feature->name);
    CHECK(use.action->id == "a");
  }
  CHECK(used == row.used);
}

TEST_CASE("features: an app that is newer than the newest known one", "[contract][41]") {
  CHECK_FALSE(is_newer_than_known(kNewestOperator));
  CHECK_FALSE(is_newer_than_known({1, 0, 7}));
  CHECK(is_newer_than_known({1, 1, 0}));
  CHECK(is_newer_than_known({99, 0, 0}));
  CHECK_FALSE(is_newer_than_known({0, 99, 0}));
}

TEST_CASE("package names: nothing that a command could stumble over", "[contract]") {
  CHECK(is_package_name("com.example.app_2"));
  CHECK(is_package_name("android"));
  for (const char* bad : {"", "-r", "a b", "a;b", "a/b", "$x", "com.é"}) {
    INFO(bad);
    CHECK_FALSE(is_package_name(bad));
  }
}
