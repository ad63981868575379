#include "runtime/host/permissions.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

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
