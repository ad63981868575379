// What leaves for the phone where a plan names a node by a ref.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace adbproto;
using nlohmann::json;

namespace {

constexpr std::string_view kAllow =
    R"({"id":"a1","type":"click","params":{"matcher":{"resourceId":"android:id/button1","textEquals":"Allow"}}})";

// A window of that app with a button below a title.
std::string window_with_button(const std::string& app, const std::string& text = "Allow",
                               const std::string& title = "A title") {
  return "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
         "<node index=\"0\" package=\"" +
         app +
         "\" class=\"android.widget.FrameLayout\" "
         "resource-id=\"" +
         app +
         ":id/root\" bounds=\"[0,0][100,100]\">"
         "<node index=\"1\" text=\"" +
         title + "\" package=\"" + app +
         "\" class=\"android.widget.TextView\" bounds=\"[0,50][10,60]\" />"
         "<node index=\"0\" text=\"" +
         text + "\" package=\"" + app +
         "\" resource-id=\"android:id/button1\" class=\"android.widget.Button\" "
         "clickable=\"true\" bounds=\"[0,0][10,20]\" /></node></hierarchy>";
}

ShownNode shown_button() {
  const UiTree tree = *parse_hierarchy(window_with_button("com.shop"));
  return shown_node(tree, 2, RefUse::press);
}

// A phone whose app answers: snapshots by `screen`, anything else by success or `failure`.
struct RefBench {
  explicit RefBench(std::string_view version_code) {
    at.phone.packages =
        "package:com.clawperator.operator versionCode:" + std::string(version_code) + "\n";
    at.phone.on_broadcast = [this](const std::string& payload) {
      const json plan = json::parse(payload);
      sent.push_back(plan["actions"][0]);
      at.phone.log("[Clawperator-Result] " + answer(plan));
    };
  }

  [[nodiscard]] std::string answer(const json& plan) const {
    const json& action = plan["actions"][0];
    json step{{"id", action["id"]}, {"actionType", action["type"]}, {"success", true}};
    json reply{{"commandId", plan["commandId"]}, {"taskId", plan["taskId"]}, {"status", "success"}};
    if (action["type"] == "snapshot_ui") {
      step["data"]["text"] = screen;
    } else if (!failure.empty() && (!fails_once || sent.size() == 1)) {
      step["success"] = false;
      step["data"] = {{"errorCode", failure}, {"error", "no"}};
      reply["status"] = "failed";
      reply["errorCode"] = failure;
    }
    reply["stepResults"] = json::array({step});
    reply["error"] = step["success"] ? json() : json("no");
    return reply.dump();
  }

  Result<ExecuteResult> click(ShownNode shown) {
    ExecuteRequest request = EngineBench::request(kAllow);
    request.shown = std::move(shown);
    return at.run(std::move(request));
  }

  [[nodiscard]] std::vector<std::string> types() const {
    std::vector<std::string> all;
    for (const json& action : sent) all.push_back(action["type"]);
    return all;
  }

  EngineBench at;
  std::string screen = window_with_button("com.shop");
  std::string failure;
  bool fails_once = false;
  std::vector<json> sent;  // the first step of each broadcast
};

using Types = std::vector<std::string>;
constexpr const char* kNewApp = "1205900";
constexpr const char* kOldApp = "503900";

json members_of_details(const Error& error) { return json::parse(error.members())["details"]; }

}  // namespace

TEST_CASE("ref: an app that knows strict is trusted with the node, by one dispatch", "[loopback]") {
  RefBench of(kNewApp);
  REQUIRE(of.click(shown_button()));
  REQUIRE(of.types() == Types{"click"});
  CHECK(of.sent[0]["params"]["strict"] == true);
  CHECK(of.sent[0]["params"]["matcher"]["ancestor"]["resourceId"] == "com.shop:id/root");
  const json inside = {{"resourceId", "com.shop:id/root"},
                       {"descendant", {{"textEquals", "A title"}}}};
  CHECK(of.sent[0]["params"]["container"] == inside);
}

TEST_CASE("ref: what a miss means is decided by one look, and sent without the witness",
          "[loopback]") {
  RefBench of(kNewApp);
  of.failure = "CONTAINER_NOT_FOUND";
  SECTION("the node is there, and so is what its window said") {
    of.fails_once = true;
    REQUIRE(of.click(shown_button()));
    REQUIRE(of.types() == Types{"click", "snapshot_ui", "click"});
    CHECK_FALSE(of.sent[2]["params"].contains("container"));
    CHECK(of.sent[2]["params"]["strict"] == true);
  }
  SECTION("a window that says something else is another one") {
    of.screen = window_with_button("com.shop", "Allow", "Another title");
    const auto result = of.click(shown_button());
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == errc::stale_ref);
    CHECK(of.types() == Types{"click", "snapshot_ui"});
  }
  SECTION("a second miss is the last") {
    const auto result = of.click(shown_button());
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == errc::stale_ref);
    CHECK(of.types() == Types{"click", "snapshot_ui", "click", "snapshot_ui"});
  }
}

TEST_CASE("ref: where nothing else is said in its window a look comes first", "[loopback]") {
  RefBench of(kNewApp);
  ShownNode shown = shown_button();
  shown.witnesses = {};
  REQUIRE(of.click(shown));
  CHECK(of.types() == Types{"snapshot_ui", "click"});
}

TEST_CASE("ref: what it does not find is stale, and is not sent again", "[loopback]") {
  RefBench of(kNewApp);
  of.failure = GENERATE(as<std::string>(), "NODE_NOT_FOUND", "NODE_AMBIGUOUS");
  of.screen = window_with_button("com.rival");
  const auto result = of.click(shown_button());
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::stale_ref);
  CHECK(of.types() == Types{"click", "snapshot_ui"});
  const json details = members_of_details(result.error());
  CHECK(details["shownIn"] == "com.shop");
  CHECK(details["front"] == "com.rival");
  CHECK(details["ref"] == shown_button().ref);
  CHECK_FALSE(details.contains("dispatchAttempted"));
}

TEST_CASE("ref: an older app is sent nothing before a look says that the node is there",
          "[loopback]") {
  RefBench of(kOldApp);
  SECTION("it is") {
    REQUIRE(of.click(shown_button()));
    REQUIRE(of.types() == Types{"snapshot_ui", "click"});
    CHECK_FALSE(of.sent[1]["params"].contains("strict"));
    CHECK_FALSE(of.sent[1]["params"]["matcher"].contains("ancestor"));
  }
  SECTION("another app is in front") { of.screen = window_with_button("com.rival"); }
  SECTION("it says something else") { of.screen = window_with_button("com.shop", "Deny"); }
  SECTION("the screen cannot be read") { of.screen = "<hierarchy"; }
  if (of.screen != window_with_button("com.shop")) {
    const auto result = of.click(shown_button());
    REQUIRE_FALSE(result);
    const bool is_read = of.screen != "<hierarchy";
    CHECK(result.error().code() == (is_read ? errc::stale_ref : errc::snapshot_extraction_failed));
    CHECK(of.types() == Types{"snapshot_ui"});
  }
}

TEST_CASE("ref: without an id of its app the phone compares what is in front", "[loopback]") {
  RefBench of(kNewApp);
  ShownNode shown = shown_button();
  shown.ancestor_id.clear();
  shown.witnesses.container_id = "android:id/content";
  SECTION("it is in front") {
    REQUIRE(of.click(shown));
    CHECK(of.types() == Types{"click"});
    CHECK(of.at.phone.commands().back().front() == "activity");
  }
  SECTION("another app is: no broadcast leaves") {
    of.at.phone.has_app_in_front = false;
    of.screen = window_with_button("com.rival");
    const auto result = of.click(shown);
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == errc::stale_ref);
    CHECK(of.types() == Types{"snapshot_ui"});
    CHECK(members_of_details(result.error())["front"] == "com.rival");
  }
  SECTION("it cannot say, as of a dialog with a title: a look can") {
    of.at.phone.has_app_in_front = false;
    REQUIRE(of.click(shown));
    CHECK(of.types() == Types{"snapshot_ui", "click"});
    CHECK(of.sent[1]["params"]["strict"] == true);
  }
}

TEST_CASE("ref: of another phone nothing is sent", "[loopback]") {
  RefBench of(kNewApp);
  ShownNode shown = shown_button();
  shown.shown_by = showing("phone-2", "usb:1-2");
  const auto result = of.click(shown);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::stale_ref);
  CHECK(members_of_details(result.error())["shownBy"] == "phone-2");
  CHECK(of.at.phone.commands().empty());
  shown.shown_by += showing("phone-1", "phone-1");
  CHECK(of.click(shown));
}
