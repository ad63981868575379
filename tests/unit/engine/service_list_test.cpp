#include "runtime/engine/service_list.hpp"

#include <catch2/catch.hpp>

#include "runtime/engine/service_list.hpp"

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

TEST_CASE("service list: an entry is added at the end and taken out whole", "[host]") {
  CHECK(with_entry({"", {}}, "a/b") == "a/b");
  CHECK(with_entry({"a/b", {}}, "c/d") == "a/b:c/d");
  CHECK(without_entry({"a/b:c/d:e/f", {}}, "c/d") == "a/b:e/f");
  CHECK(without_entry({"a/b", {}}, "a/b").empty());
  CHECK(without_entry({"a/bc", {}}, "a/b") == "a/bc");
}

// As Android 7 to 16 print it (services.core, ManagedServices.dump).
TEST_CASE("notification listeners: the system's own list decides, whatever else it prints",
          "[host][W5]") {
  const std::string before =
      "Current Notification Manager state:\n  Notification listeners:\n"
      "    Allowed notification listeners:\n      a/b:p/p.L (user: 0 isPrimary: true)\n";
  const std::string live =
      "    Live notification listeners (1):\n      ComponentInfo{p/p.L} (user 0)\n";
  struct Row {
    const char* name;
    std::string dumpsys;
    std::optional<bool> granted;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"granted",
       before +
           "    All notification listeners (2) enabled for current profiles:\n"
           "      ComponentInfo{a/b}\n      ComponentInfo{p/p.L}\n" +
           live,
       true},
      {"only live, only allowed in the policy file",
       before +
           "    All notification listeners (1) enabled for current profiles:\n"
           "      ComponentInfo{a/b}\n" +
           live,
       false},
      {"none at all", "    All notification listeners (0) enabled for current profiles:\n" + live,
       false},
      {"a longer name",
       "    All notification listeners (1) enabled for current profiles:\n"
       "      ComponentInfo{p/p.L2}\n",
       false},
      {"CR LF",
       "    All notification listeners (1) enabled for current profiles:\r\n"
       "      ComponentInfo{p/p.L}\r\n",
       true},
      {"assistants are others",
       "    All notification assistants (1) enabled for current profiles:\n"
       "      ComponentInfo{p/p.L}\n",
       std::nullopt},
      {"nothing", "", std::nullopt},
      {"no such service", "Can't find service: notification\n", std::nullopt},
      {"garbage", std::string(100'000, '\0'), std::nullopt},
  }));
  INFO(row.name);
  CHECK(grants_listener(row.dumpsys, "p/p.L") == row.granted);
}

TEST_CASE("accessibility state: a client of UiAutomation has its own line", "[host][R6]") {
  CHECK(
      shows_ui_automation("User state[\n]\nUi Automation[eventTypes=TYPES_ALL_MASK, "
                          "notificationTimeout=0]\n"));
  CHECK_FALSE(shows_ui_automation("ACCESSIBILITY MANAGER (dumpsys accessibility)\n"));
}
