#include "runtime/host/permissions.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("service list: what settings prints, and what is no list", "[host]") {
  struct Row {
    const char* name;
    std::string printed;
    std::string entries;
    bool readable;
  };
  const auto row = GENERATE(values<Row>({
      {"none", "null\n", "", true},
      {"empty", "\n", "", true},
      {"nothing at all", "", "", true},
      {"one", "a.b/c.D\n", "a.b/c.D", true},
      {"two, CRLF", "a/b:c/d\r\n", "a/b:c/d", true},
      {"two lines", "WARNING: linker\na/b\n", "", false},
      {"a control character", "a/b\x1b[2J", "", false},
      {"endless", std::string(40'000, 'a'), "", false},
  }));
  INFO(row.name);
  const auto list = parse_service_list(row.printed);
  CHECK(list.entries == row.entries);
  CHECK(list.problem.has_value() != row.readable);
}

TEST_CASE("service list: an entry counts only whole", "[host]") {
  const std::string component = accessibility_component("com.x");
  CHECK(component ==
        "com.x/clawperator.operator.accessibilityservice.OperatorAccessibilityService");
  struct Row {
    const char* name;
    std::string entries;
    bool listed;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"alone", component, true},
      {"last", "a/b:" + component, true},
      {"first", component + ":a/b", true},
      {"in the middle", "a/b:" + component + ":c/d", true},
      {"the other variant", accessibility_component("com.x.dev"), false},
      {"a longer package", "a.com.x" + component.substr(5), false},
      {"a longer class", component + "2", false},
      {"nothing", "", false},
  }));
  INFO(row.name);
  CHECK(lists_service({row.entries, {}}, component) == row.listed);
}

TEST_CASE("grant report: its members and its first failure", "[host]") {
  GrantReport report;
  report.accessibility = {true, true, {}};
  report.notification = {true, true, "Unknown permission"};
  report.notification_listener = {true, false, {}};
  CHECK(report.ok());
  CHECK(report.first_error().empty());
  JsonObject json;
  CHECK(add_grants(json, report).str() ==
        R"({"accessibility":{"ok":true,"alreadyEnabled":true},)"
        R"("notification":{"ok":true,"skipped":true,"error":"Unknown permission"},)"
        R"("notificationListener":{"ok":true,"alreadyEnabled":false}})");
  report.notification_listener = {false, false, "third"};
  CHECK(report.first_error() == "third");
  report.notification = {false, false, "second"};
  CHECK(report.first_error() == "second");
  report.accessibility = {false, false, "first"};
  CHECK(report.first_error() == "first");
  CHECK_FALSE(report.ok());
}
