#include "simdroid/operator/operator_app.hpp"

#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

namespace {

constexpr const char* kOnce = R"("retry":{"maxAttempts":1})";

Bench& open(Bench& bench, std::string_view screen,
            std::string_view package = "com.clawperator.conformance") {
  REQUIRE(bench.world.open_screen(package, screen));
  return bench;
}

std::string matcher(const std::string& fields, const std::string& more = "") {
  return R"({"matcher":{)" + fields + "}" + (more.empty() ? "" : "," + more) + "}";
}

std::string joined(const Json& data) { return data.dump(); }

}  // namespace

TEST_CASE("open_app brings the app to the front") {
  Bench bench;
  CHECK(joined(bench.step("open_app", R"({"applicationId":"com.android.settings"})")["data"]) ==
        R"({"application_id":"com.android.settings"})");
  CHECK(bench.world.foreground_package() == "com.android.settings");
  CHECK(bench.failure("open_app", R"({"applicationId":"com.absent","retry":{"maxAttempts":1}})") ==
        "No launch intent found for package: com.absent");
}

TEST_CASE("open_uri opens the app that handles it and fails when there is none") {
  Bench bench;
  CHECK(joined(bench.step("open_uri", R"({"uri":"https://example.com/"})")["data"]) ==
        R"({"uri":"https://example.com/"})");
  CHECK(bench.world.foreground_package() == "com.android.chrome");
  CHECK(bench.failure("open_uri", R"({"uri":"absent://x"})").starts_with("URI_NOT_HANDLED"));
}

TEST_CASE("close_app and take_screenshot are left to the host") {
  Bench bench;
  const Json close = bench.step("close_app", R"({"applicationId":"com.android.settings"})");
  CHECK(close["success"] == false);
  CHECK(close["data"]["error"] == "UNSUPPORTED_RUNTIME_CLOSE");
  CHECK(close["data"]["application_id"] == "com.android.settings");
  CHECK(close["data"].contains("message"));
  const Json shot = bench.step("take_screenshot");
  CHECK(shot["success"] == false);
  CHECK(shot["data"]["error"] == "UNSUPPORTED_RUNTIME_SCREENSHOT");
}

TEST_CASE("sleep sleeps") {
  Bench bench;
  CHECK(joined(bench.step("sleep", R"({"durationMs":1500})")["data"]) ==
        R"({"duration_ms":"1500"})");
  CHECK(bench.now == at(1500ms));
}

TEST_CASE("doctor_ping reports the settings") {
  Bench bench;
  bench.app.facts().usb_debugging = false;
  CHECK(joined(bench.step("doctor_ping")["data"]) ==
        R"({"developer_options_enabled":"true","usb_debugging_enabled":"false"})");
}

TEST_CASE("press_key presses, or says that the system declined") {
  Bench bench;
  open(bench, "form");
  CHECK(joined(bench.step("press_key", R"({"key":"home"})")["data"]) == R"({"key":"home"})");
  CHECK(bench.world.foreground_package() == kLauncherPackage);
  bench.app.facts().global_actions_work = false;
  const Json step = bench.step("press_key", R"({"key":"recents"})");
  CHECK(step["success"] == false);
  CHECK(step["data"]["error"] == "GLOBAL_ACTION_FAILED");
}

TEST_CASE("snapshot_ui reports an overlay") {
  Bench bench;
  open(bench, "home");
  tap_text(bench.world, "Overlay");
  CHECK(
      joined(bench.step("snapshot_ui")["data"]) ==
      R"({"actual_format":"hierarchy_xml","foreground_package":"com.android.permissioncontroller",)"
      R"("has_overlay":"true","overlay_package":"com.clawperator.conformance",)"
      R"("window_count":"4"})");
}

TEST_CASE("wait_for_node finds what is there and what comes later") {
  Bench bench;
  open(bench, "form");
  CHECK(joined(bench.step(
            "wait_for_node",
            matcher(R"("resourceId":"com.clawperator.conformance:id/submit_button")"))["data"]) ==
        R"({"resource_id":"com.clawperator.conformance:id/submit_button","label":"Submit"})");
  open(bench, "later");
  const Json late = bench.step("wait_for_node", matcher(R"("textContains":"HERE i")"));
  CHECK(late["data"]["label"] == "Here I am");
  CHECK(bench.now >= at(2s));
}

TEST_CASE("wait_for_node with a timeout polls until it is over") {
  Bench bench;
  open(bench, "later");
  const Json late =
      bench.step("wait_for_node", matcher(R"("textEquals":"Here I am")", R"("timeoutMs":10000)"));
  CHECK(late["data"]["timeout_ms"] == "10000");
  const Time start = bench.now;
  CHECK(bench.failure("wait_for_node", matcher(R"("textEquals":"never")", R"("timeoutMs":9000)")) ==
        "Timeout waiting for node matching: NodeMatcher(textEquals=never) (timeoutMs=9000)");
  CHECK(bench.now == start + 9s);
}

TEST_CASE("wait_for_node fails after its retries") {
  Bench bench;
  CHECK(bench.failure("wait_for_node", matcher(R"("role":"textfield")", kOnce)) ==
        "No UI node found matching criteria: NodeMatcher(role=textfield)");
  CHECK(bench.now == at(0s));
}

TEST_CASE("click clicks by every kind of matcher") {
  const std::string fields =
      GENERATE(R"("textEquals":"Submit")", R"("textContains":"subm")",
               R"("resourceId":"com.clawperator.conformance:id/submit_button")",
               R"("role":"BUTTON","textEquals":"Submit")");
  Bench bench;
  open(bench, "form");
  CHECK(joined(bench.step("click", matcher(fields))["data"]) == R"({"click_types":"click"})");
  CHECK(bench.world.screen().name == "greeting");
}

TEST_CASE("click on a title reaches the row around it, and a description is as good as a text") {
  Bench bench;
  bench.world.open_app("com.android.settings");
  bench.step("click", matcher(R"("textEquals":"Display & touch")"));
  CHECK(bench.world.screen().name == "display");
  bench.step("click", matcher(R"("contentDescEquals":"Navigate up")"));
  CHECK(bench.world.screen().name == "home");
}

TEST_CASE("click types: long click, focus, coordinate") {
  Bench bench;
  open(bench, "home");
  CHECK(bench.step("click", matcher(R"("textEquals":"Ask")",
                                    R"("clickType":"long_click")"))["data"]["click_types"] ==
        "long_click");
  CHECK(bench.world.screen().name == "held");
  open(bench, "form");
  CHECK(bench.step("click", matcher(R"("textEquals":"Name")",
                                    R"("clickType":"focus")"))["data"]["click_types"] == "focus");
  CHECK(with_text(bench.world, "Name")->focused);
  CHECK(bench.world.screen().name == "form");
  const Point at_button = with_text(bench.world, "Submit")->bounds.centre();
  const std::string x = std::to_string(at_button.x), y = std::to_string(at_button.y);
  const Json step = bench.step("click", R"({"coordinate":{"x":)" + x + R"(,"y":)" + y + "}}");
  CHECK(step["data"]["coordinate"] == "(" + x + "," + y + ")");
  CHECK(step["data"]["click_types"] == "click");
  CHECK(bench.world.screen().name == "greeting");
}

TEST_CASE("click fails on what takes no focus and when gestures are refused") {
  Bench bench;
  open(bench, "home");
  CHECK(bench.failure("click", matcher(R"("resourceId":"com.clawperator.conformance:id/app_bar")",
                                       std::string(R"("clickType":"focus",)") + kOnce)) ==
        "Click on matching UI node failed");
  bench.app.facts().gestures_work = false;
  CHECK(bench.failure("click", R"({"coordinate":{"x":5,"y":6},"retry":{"maxAttempts":1}})") ==
        "Click at coordinate (5,6) failed");
}

TEST_CASE("enter_text replaces the text, and submit presses enter") {
  Bench bench;
  open(bench, "form");
  CHECK(joined(bench.step("enter_text",
                          matcher(R"("textEquals":"Name")", R"("text":"Ada \"L\" ü")"))["data"]) ==
        R"({"text":"Ada \"L\" ü","submit":"false"})");
  CHECK(with_text(bench.world, "Ada \"L\" ü") != nullptr);
  const Json step = bench.step(
      "enter_text", matcher(R"("resourceId":"com.clawperator.conformance:id/name_field")",
                            R"("text":"Bob","submit":true,"clear":false)"));
  CHECK(step["data"]["submit"] == "true");
  CHECK(bench.world.screen().name == "greeting");
  bench.world.press(Key::back);
  CHECK(with_text(bench.world, "Bob") != nullptr);
}

TEST_CASE("enter_text fails on what is no field") {
  Bench bench;
  open(bench, "form");
  CHECK(bench.failure("enter_text",
                      matcher(R"("textEquals":"Submit")", std::string(R"("text":"x",)") + kOnce)) ==
        "Failed to set text on matching UI node");
}

TEST_CASE("read_text reads one, all, and inside a container") {
  Bench bench;
  bench.world.open_screen("com.android.settings", "battery");
  CHECK(joined(bench.step("read_text", matcher(R"("textContains":"22.5")"))["data"]) ==
        R"({"text":"22.5 C","validator":"none"})");
  CHECK(joined(bench.step("read_text", matcher(R"("resourceId":"android:id/summary")",
                                               R"("all":true)"))["data"]) ==
        R"({"text":"[\"83%\",\"22.5 C\",\"View usage since last full charge\",\"Off\"]",)"
        R"("all":"true","count":"4","validator":"none"})");
  const Json inside =
      bench.step("read_text",
                 matcher(R"("role":"text")",
                         R"("container":{"resourceId":"com.android.settings:id/recycler_view"})"));
  CHECK(inside["data"]["text"] == "Battery level");
  CHECK(inside["data"]["container"] ==
        "NodeMatcher(resourceId=com.android.settings:id/recycler_view)");
}

TEST_CASE("read_text validates") {
  struct Case {
    const char* validator;
    const char* accepted;
    const char* refused;
  };
  const auto c = GENERATE(values<Case>({
      {R"("validator":"temperature")", "22.5 C", "83%"},
      {R"("validator":"version")", "16", "83%"},
      {R"("validator":"regex","validatorPattern":"[0-9]+%")", "83%", "22.5 C"},
  }));
  Bench bench;
  bench.world.open_screen("com.android.settings",
                          std::string_view(c.accepted) == "16" ? "about" : "battery");
  const auto read = [&](const std::string& text) {
    return bench.step("read_text", matcher(R"("textEquals":")" + text + "\"",
                                           std::string(c.validator) + "," + kOnce));
  };
  CHECK(read(c.accepted)["success"] == true);
  bench.world.open_screen("com.android.settings", "battery");
  const Json step = read(c.refused);
  CHECK(step["success"] == false);
  CHECK(step["data"]["error"] == "VALIDATOR_MISMATCH");
  CHECK(step["data"]["raw_text"] == c.refused);
}

TEST_CASE("read_text's failures: pattern, container, node, nothing to read") {
  Bench bench;
  bench.world.open_screen("com.android.settings", "battery");
  const std::string once = std::string(",") + kOnce;
  CHECK(bench.step("read_text",
                   matcher(R"("role":"text")",
                           R"("validator":"regex","validatorPattern":"(")"))["data"]["error"] ==
        "INVALID_REGEX_PATTERN");
  CHECK(bench.step("read_text", matcher(R"("role":"text")",
                                        R"("container":{"role":"tab"})" + once))["data"]["error"] ==
        "CONTAINER_NOT_FOUND");
  CHECK(bench.step("read_text", matcher(R"("textEquals":"x")",
                                        R"("container":{"resourceId":"android:id/content"})" +
                                            once))["data"]["error"] == "NODE_NOT_FOUND");
  CHECK(bench.failure("read_text", matcher(R"("textEquals":"x")", kOnce)) ==
        "No UI node found matching criteria: NodeMatcher(textEquals=x)");
  CHECK(bench.failure("read_text", matcher(R"("resourceId":"android:id/icon")", kOnce)) ==
        "Matching UI node has no text content");
}

TEST_CASE("read_key_value_pair reads the value beside a label") {
  Bench bench;
  bench.world.open_screen("com.android.settings", "about");
  const auto read = [&](const std::string& label) {
    return bench.step("read_key_value_pair",
                      R"({"labelMatcher":{"textEquals":")" + label + R"("},)" + kOnce + "}");
  };
  CHECK(joined(read("Android version")["data"]) == R"({"label":"Android version","value":"16"})");
  CHECK(read("IP address")["data"]["value"] == "192.168.232.2");
  CHECK(read("Shoe size")["data"]["error"] == "NODE_NOT_FOUND");
  CHECK(read("Regulatory labels")["data"]["error"] == "VALUE_NODE_NOT_FOUND");
}

TEST_CASE("wait_for_navigation waits for a package, a node, or both") {
  Bench bench;
  bench.world.open_app("com.android.settings");
  const Json there = bench.step("wait_for_navigation",
                                R"({"expectedPackage":"com.android.settings","timeoutMs":1000})");
  CHECK(joined(there["data"]) == R"({"resolved_package":"com.android.settings","elapsed_ms":"0"})");
  open(bench, "later");
  const Json node = bench.step("wait_for_navigation",
                               R"({"expectedNode":{"textEquals":"Here I am"},"timeoutMs":5000})");
  CHECK(node["data"]["elapsed_ms"] == "2000");
  const Time start = bench.now;
  const Json never =
      bench.step("wait_for_navigation", R"({"expectedPackage":"com.absent","timeoutMs":700})");
  CHECK(never["success"] == false);
  CHECK(joined(never["data"]) ==
        R"({"last_package":"com.clawperator.conformance","error":"NAVIGATION_TIMEOUT"})");
  CHECK(bench.now == start + 700ms);
}
