// What apps after 0.5.3 do otherwise.
#include "simdroid/operator/operator_app.hpp"

#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

namespace {

std::string keys_of(const Json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) keys += key + " ";
  return keys;
}

constexpr const char* kNowhere =
    R"({"matcher":{"textEquals":"nowhere"},"retry":{"maxAttempts":1}})";

}  // namespace

TEST_CASE("newer operator: where the hierarchy is") {
  struct Row {
    const char* version;
    const char* mark;  // empty: not in the log
  };
  const auto row =
      GENERATE(values<Row>({{"0.9.2", "[TaskScope] UI Hierarchy:\n"},
                            {"0.9.3", "[TaskScope] UI Hierarchy [commandId=cmd-1]:\n"},
                            {"0.12.2", "[TaskScope] UI Hierarchy [commandId=cmd-1]:\n"},
                            {"0.12.3", ""}}));
  Bench bench({.version = row.version});
  const Json data = bench.step("snapshot_ui")["data"];
  const auto logged = bench.of_kind(LogKind::hierarchy);
  const bool in_log = *row.mark != '\0';
  REQUIRE(logged.size() == (in_log ? 1 : 0));
  CHECK(data.contains("text") != in_log);
  if (in_log) {
    CHECK(logged.front()->message.starts_with(std::string(row.mark) + "<?xml"));
  } else {
    CHECK(data["text"].get<std::string>().starts_with("<?xml"));
    CHECK(keys_of(data) ==
          "actual_format text foreground_package has_overlay window_count "
          "operator_overlay_visible ");
  }
}

TEST_CASE(
    "newer operator: nodes show their visibility since 0.10, their sensitivity on Android 14") {
  const std::string sensitive = R"( accessibility-data-sensitive="false")";
  const std::string visible = R"( visible-to-user="true")";
  Bench old({.version = "0.9.5"});
  old.step("snapshot_ui");
  CHECK_FALSE(old.logged(visible));
  Bench bench({.version = "0.10.0"});
  bench.step("snapshot_ui");
  CHECK(bench.logged(visible + sensitive));
  bench.app.facts().sdk = 33;
  bench.step("snapshot_ui");
  CHECK(bench.logged(visible));
  CHECK_FALSE(bench.logged(sensitive));
}

TEST_CASE("newer operator: log tags are class names since 0.9.3") {
  Bench old({.version = "0.9.2"});
  old.step("snapshot_ui");
  CHECK(old.log.front().tag.size() == 1);
  Bench bench({.version = "0.9.3"});
  bench.step("snapshot_ui");
  CHECK(bench.log.front().tag == "AgentCommandExecutorDefault");
}

TEST_CASE("newer operator: doctor_ping reports the device's state since 0.7") {
  Bench old({.version = "0.6.5"});
  CHECK(old.step("doctor_ping")["data"].size() == 2);
  Bench bench({.version = "0.7.0"});
  bench.world.set_awake(false);
  const Json data = bench.step("doctor_ping")["data"];
  CHECK(data["screen_on"] == "false");
  CHECK(data["device_locked"] == "true");
  CHECK(data["user_unlocked"] == "true");
}

TEST_CASE("newer operator: open_app waits for the foreground since 0.9.2") {
  const std::string settings = R"({"applicationId":"com.android.settings"})";
  Bench old({.version = "0.9.1"});
  CHECK(keys_of(old.step("open_app", settings)["data"]) == "application_id ");
  Bench bench({.version = "0.9.2"});
  CHECK(keys_of(bench.step("open_app", settings)["data"]) ==
        "application_id navigation_elapsed_ms resolved_package ");
  CHECK(keys_of(bench.step("open_app", R"({"applicationId":"com.android.settings",)"
                                       R"("skipNavigationWait":true})")["data"]) ==
        "application_id ");
  bench.world.set_awake(false);
  const Json late = bench.step("open_app", R"({"applicationId":"com.android.settings",)"
                                           R"("navigationTimeoutMs":1000})");
  CHECK(late["success"] == false);
  CHECK(late["data"]["error"] == "NAVIGATION_TIMEOUT");
  CHECK(late["data"]["navigation_elapsed_ms"] == "1000");
}

TEST_CASE("newer operator: enter_text reports more and more") {
  struct Row {
    const char* version;
    const char* keys;
  };
  const auto row = GENERATE(values<Row>({{"0.6.5", "text submit "},
                                         {"0.7.0", "text clear submit "},
                                         {"0.9.5", "text clear submit "}}));
  const std::string params =
      R"({"matcher":{"role":"textfield"},"text":"Bob","clear":true,"submit":true})";
  Bench bench({.version = row.version});
  REQUIRE(bench.world.open_screen("com.clawperator.conformance", "form"));
  CHECK(keys_of(bench.step("enter_text", params)["data"]) == row.keys);
  Bench newest({.version = "0.12.4"});
  REQUIRE(newest.world.open_screen("com.clawperator.conformance", "form"));
  const Json data = newest.step("enter_text", params)["data"];
  CHECK(data["clear"] == "true");
  CHECK(data["text_entry"] == "accepted");
  CHECK(data["submission"] == "accepted");
  CHECK(data["submit_method"] == "ime_action");
  CHECK(data["dispatch_method"] == "accessibility_action");
}

TEST_CASE("newer operator: `snapshot` is a name since 0.9.4, and before it is silence") {
  Bench old({.version = "0.9.3"});
  old.receive(command(action("snapshot")));
  CHECK(old.of_kind(LogKind::envelope).empty());
  Bench bench({.version = "0.9.4"});
  CHECK(bench.step("snapshot")["actionType"] == "snapshot_ui");
}

TEST_CASE("newer operator: a click has a receipt since 0.10") {
  Bench bench({.version = "0.10.0"});
  bench.world.open_app("com.android.settings");
  const Json data = bench.step("click", R"({"matcher":{"textEquals":"Battery"}})")["data"];
  CHECK(keys_of(data).starts_with(
      "click_types target matched_target candidate_count dispatch_method dispatch_accepted "
      "elapsed_ms "));
  CHECK(Json::parse(data["target"].get<std::string>())["label"] == "Battery");
  CHECK(data["dispatch_accepted"] == "true");
  const Json at = bench.step("click", R"({"coordinate":{"x":10,"y":20}})")["data"];
  CHECK(at["coordinate"] == R"({"x":10,"y":20})");
  CHECK(at["dispatch_method"] == "coordinate_gesture");
  CHECK_FALSE(at.contains("target"));
}

TEST_CASE("newer operator: a plan that ends early keeps its steps since 0.10") {
  const std::string plan = action("press_key", R"({"key":"home"})", "1") + "," +
                           action("click", kNowhere, "2") + "," +
                           action("press_key", R"({"key":"back"})", "3");
  Bench bench({.version = "0.10.0"});
  bench.receive(command(plan));
  bench.finish();
  const Json envelope = bench.envelope();
  CHECK(envelope["status"] == "failed");
  CHECK(envelope["errorCode"] == "NODE_NOT_FOUND");
  REQUIRE(envelope["stepResults"].size() == 2);
  CHECK(envelope["stepResults"][0]["success"] == true);
  const Json& last = envelope["stepResults"][1];
  CHECK(last["id"] == "2");
  CHECK(last["success"] == false);
  CHECK(last["data"]["errorCode"] == "NODE_NOT_FOUND");
  CHECK(last["data"]["error"] == envelope["error"]);
  CHECK(last["data"]["candidate_count"] == "0");
}

TEST_CASE("newer operator: a step that is refused has an error code since 0.10") {
  Bench bench({.version = "0.10.0"});
  for (const auto& [type, code] : {std::pair{"take_screenshot", "UNSUPPORTED_RUNTIME_SCREENSHOT"},
                                   std::pair{"close_app", "UNSUPPORTED_RUNTIME_CLOSE"}}) {
    const Json step = bench.step(type, R"({"applicationId":"com.x"})");
    CHECK(step["success"] == false);
    CHECK(step["data"]["error"] == code);
    CHECK(step["data"]["errorCode"] == code);
  }
  Bench old({.version = "0.9.5"});
  CHECK_FALSE(old.step("take_screenshot")["data"].contains("errorCode"));
}

TEST_CASE("newer operator: a timeout in a step, between steps and in the queue") {
  Bench bench({.version = "0.10.0"});
  const std::string plan =
      action("press_key", R"({"key":"home"})", "1") + "," + action("snapshot_ui", "{}", "2");
  std::size_t steps = 0;
  SECTION("in a step") {
    bench.app.facts().hanging_step = 2;
    bench.receive(command(plan, "cmd-1", 1000));
    steps = 2;
  }
  SECTION("between two steps") {
    bench.app.facts().step_gap = 5s;
    bench.receive(command(plan, "cmd-1", 1000));
    steps = 1;
  }
  SECTION("in the queue") {
    bench.receive(command(action("sleep", R"({"durationMs":5000})"), "other"));
    bench.log.clear();
    bench.receive(command(plan, "cmd-1", 1000));
  }
  bench.advance(1s);
  const Json envelope = bench.envelope();
  CHECK(envelope["error"] == "Agent command timed out after 1000ms");
  CHECK(envelope["errorCode"] == "COMMAND_TIMEOUT");
  REQUIRE(envelope["stepResults"].size() == steps);
  if (steps == 2) CHECK(envelope["stepResults"][1]["data"]["errorCode"] == "COMMAND_TIMEOUT");
  if (steps == 1) CHECK(envelope["stepResults"][0]["success"] == true);
}

TEST_CASE("newer operator: matchers are read strictly since 0.10") {
  const std::string matcher =
      GENERATE(R"({"textEquals":"Battery","regex":"x"})", R"({"textEquals":7})",
               R"({"textEquals":"  "})", R"({"ancestor":{"role":"x","ancestor":{"role":"y"}}})");
  Bench bench({.version = "0.10.0"});
  bench.receive(command(action("wait_for_node", R"({"matcher":)" + matcher + "}")));
  bench.finish();
  CHECK(bench.of_kind(LogKind::envelope).empty());
  CHECK(bench.logged("[Operator-Receiver] Failed to parse agent command"));
}

TEST_CASE("newer operator: an old app drops what it does not know and takes another node") {
  const std::string params =
      R"({"strict":true,"matcher":{"role":"text","ancestor":{"textEquals":"nowhere"}}})";
  Bench old({.version = "0.9.5"});
  old.world.open_app("com.android.settings");
  CHECK(old.step("wait_for_node", params)["success"] == true);
}

TEST_CASE("newer operator: strict, ancestor, descendant and container") {
  Bench bench({.version = "0.10.0"});
  bench.world.open_app("com.android.settings");
  const Json many = bench.step("click", R"({"strict":true,"matcher":{"role":"text"},)"
                                        R"("retry":{"maxAttempts":1}})");
  CHECK(many["success"] == false);
  CHECK(many["data"]["errorCode"] == "NODE_AMBIGUOUS");
  CHECK(many["data"]["strict"] == "true");
  CHECK(Json::parse(many["data"]["candidates"].get<std::string>())["nodes"].size() == 10);
  const Json row = bench.step("click", R"({"strict":true,"matcher":{"role":"listitem",)"
                                       R"("descendant":{"textEquals":"Battery"}}})");
  CHECK(row["success"] == true);
  CHECK(bench.world.screen().name == "battery");
  bench.world.press(Key::back);
  const Json inner = bench.step("wait_for_node", R"({"strict":true,"matcher":{"textEquals":)"
                                                 R"("Battery","ancestor":{"role":"listitem"}}})");
  CHECK(inner["success"] == true);
  bench.receive(command(action("click", R"({"coordinate":{"x":1,"y":2},"strict":true})"), "none"));
  CHECK_FALSE(bench.logged(R"("commandId":"none")"));
}

TEST_CASE("newer operator: a scroll looks for its target in the container alone") {
  constexpr const char* kLists = R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"ScrollView","id":"one","h":100,"children":[{"class":"TextView","text":"Target"},{"class":"FrameLayout","h":300}]},
      {"class":"ScrollView","id":"two","h":100,"children":[{"class":"FrameLayout","h":300}]}]})";
  const auto ended = [&](const char* version, const std::string& more) {
    Bench bench({.version = version});
    bench.world = world_of(kLists);
    return bench.step("scroll_until", R"({"matcher":{"textEquals":"Target"},)" + more + "}")["data"]
        .value("termination_reason", "");
  };
  const std::string two = R"("container":{"resourceId":"com.test:id/two"})";
  CHECK(ended("0.5.3", two) == "TARGET_FOUND");
  CHECK(ended("0.10.0", two) == "EDGE_REACHED");
  CHECK(ended("0.10.0", R"("container":{"resourceId":"com.test:id/one"})") == "TARGET_FOUND");
  CHECK(ended("0.10.0", R"("strict":true,"container":{"role":"unknown"})") ==
        "CONTAINER_AMBIGUOUS");
}

TEST_CASE("newer operator: a scroll says what moved") {
  Bench bench({.version = "0.10.0"});
  REQUIRE(bench.world.open_screen("com.android.settings", "home"));
  const Json moved = bench.step("scroll", R"({"distanceRatio":1})")["data"];
  CHECK(moved["scroll_outcome"] == "moved");
  CHECK(Json::parse(moved["progress"].get<std::string>())["comparable"] == true);
  for (int i = 0; i < 5; ++i) bench.step("scroll", R"({"distanceRatio":1})");
  CHECK(bench.step("scroll")["data"]["scroll_outcome"] == "no_movement");
  bench.app.facts().scrolls_comparable = false;
  CHECK(bench.step("scroll")["data"]["scroll_outcome"] == "unknown");
}

TEST_CASE("newer operator: the renamed app writes its own name") {
  Bench bench({.package = "com.androperator.operator", .version = "1.0.0"});
  bench.receive(command(action("press_key", R"({"key":"home"})")));
  bench.finish();
  CHECK(bench.logged("[Androperator-Command] start commandId=cmd-1"));
  CHECK(bench.envelope()["status"] == "success");
  CHECK_FALSE(bench.logged("Clawperator"));
}

TEST_CASE("newer operator: the next command waits for the last record of a long result") {
  Latencies latencies;
  latencies.record_pause = {10ms, 0ms};
  Bench bench({.version = "0.12.5", .latencies = latencies});
  bench.receive(command(action("snapshot_ui"), "long"));
  const std::size_t bytes = bench.of_kind(LogKind::envelope).front()->message.size();
  bench.receive(command(action("press_key", R"({"key":"home"})"), "next"));
  CHECK(bench.logged("queued commandId=next"));
  bench.finish();
  const auto envelopes = bench.of_kind(LogKind::envelope);
  REQUIRE(envelopes.size() == 2);
  const auto pauses = static_cast<int>((bytes + 1023) / 1024 - 1);
  CHECK(envelopes[1]->at == at(pauses * 10ms));
}
