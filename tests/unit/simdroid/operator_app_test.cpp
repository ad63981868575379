#include "simdroid/operator/operator_app.hpp"

#include "simdroid/ui/hierarchy.hpp"
#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

TEST_CASE("operator: a command ends with one envelope, spelled as the app spells it") {
  Bench bench;
  bench.receive(command(action("snapshot_ui", "{}", "snap")));
  bench.finish();
  REQUIRE(bench.of_kind(LogKind::envelope).size() == 1);
  const LogRecord& envelope = *bench.of_kind(LogKind::envelope).front();
  CHECK(envelope.message ==
        R"([Clawperator-Result] {"commandId":"cmd-1","taskId":"task-1","status":"success",)"
        R"("stepResults":[{"id":"snap","actionType":"snapshot_ui","success":true,)"
        R"("data":{"actual_format":"hierarchy_xml",)"
        R"("foreground_package":"com.google.android.apps.nexuslauncher","has_overlay":"false",)"
        R"("window_count":"3"}}],"error":null})");
  CHECK(envelope.command_id == "cmd-1");
  CHECK(envelope.task_id == "task-1");
  CHECK(envelope.tag.size() == 1);
  CHECK(bench.app.idle());
}

TEST_CASE("operator: the hierarchy is one message before the envelope") {
  Bench bench;
  bench.receive(command(action("snapshot_ui")));
  const auto found = bench.of_kind(LogKind::hierarchy);
  REQUIRE(found.size() == 1);
  CHECK(found.front()->message == "[TaskScope] UI Hierarchy:\n" + hierarchy_xml(bench.world));
  CHECK(found.front()->tag == "E");
  CHECK(found.front()->priority == 'D');
  CHECK(bench.log.back().kind == LogKind::envelope);
}

TEST_CASE("operator: a hierarchy of 60 KB leaves the logger as one entry per line") {
  Bench bench;
  REQUIRE(bench.world.open_screen("com.clawperator.conformance", "big"));
  bench.receive(command(action("snapshot_ui")));
  const std::string message = bench.of_kind(LogKind::hierarchy).front()->message;
  REQUIRE(message.size() > 55000);
  std::string joined;
  for (const std::string& entry : split_log_message(message)) {
    CHECK(entry.find('\n') == std::string::npos);
    joined += (joined.empty() ? "" : "\n") + entry;
  }
  CHECK(joined == message);
}

TEST_CASE("operator: progress lines name the command") {
  Bench bench;
  bench.receive(command(action("snapshot_ui")));
  CHECK(bench.log.front().message ==
        "[Clawperator-Command] start commandId=cmd-1 taskId=task-1 source=test timeoutMs=30000 "
        "actionCount=1");
  CHECK(
      bench.logged("[Clawperator-Command] stage-start commandId=cmd-1 taskId=task-1 id=logUiTree"));
  CHECK(bench.logged("[Clawperator-Command] success commandId=cmd-1 taskId=task-1 stepCount=1"));
}

TEST_CASE("operator: a blank or unreadable payload gets a log line and no envelope") {
  const std::string payload = GENERATE("", "  \n", "{", "{}", R"({"commandId":"c"})");
  Bench bench;
  bench.receive(payload);
  bench.finish();
  CHECK(bench.of_kind(LogKind::envelope).empty());
  REQUIRE(bench.log.size() == 1);
  CHECK(bench.log.front().message.starts_with("[Operator-Receiver] "));
}

TEST_CASE("operator: without accessibility the envelope says so, if the payload can be read") {
  Bench bench;
  bench.app.facts().accessibility = false;
  bench.receive("{");
  CHECK(bench.of_kind(LogKind::envelope).empty());
  bench.receive(command(action("snapshot_ui")));
  CHECK(bench.of_kind(LogKind::envelope).front()->message ==
        R"([Clawperator-Result] {"commandId":"cmd-1","taskId":"task-1","status":"failed",)"
        R"("stepResults":[],"error":"Accessibility service is not available",)"
        R"("errorCode":"SERVICE_UNAVAILABLE"})");
}

TEST_CASE("operator: steps run in order, and a step that fails does not stop them") {
  Bench bench;
  bench.receive(command(
      action("open_app", R"({"applicationId":"com.android.settings"})", "1") + "," +
      action("close_app", R"({"applicationId":"com.android.settings"})", "2") + "," +
      action("sleep", R"({"durationMs":100})", "3") + "," + action("snapshot_ui", "{}", "4")));
  bench.finish();
  const Json envelope = bench.envelope();
  CHECK(envelope["status"] == "success");
  REQUIRE(envelope["stepResults"].size() == 4);
  CHECK(envelope["stepResults"][1]["success"] == false);
  CHECK(envelope["stepResults"][3]["data"]["foreground_package"] == "com.android.settings");
  CHECK(bench.now == at(100ms));
}

TEST_CASE("operator: an exception ends the plan with a failed envelope without steps") {
  Bench bench;
  bench.receive(command(action("snapshot_ui", "{}", "1") + "," +
                        action("click", R"({"matcher":{"textEquals":"nowhere"}})", "2") + "," +
                        action("press_key", R"({"key":"home"})", "3")));
  bench.finish();
  const Json envelope = bench.envelope();
  CHECK(envelope["status"] == "failed");
  CHECK(envelope["stepResults"].empty());
  CHECK(envelope["error"] == "No UI node found matching criteria: NodeMatcher(textEquals=nowhere)");
  CHECK_FALSE(envelope.contains("errorCode"));
  CHECK(bench.logged("[Clawperator-Command] failure commandId=cmd-1 taskId=task-1 reason=No UI"));
}

TEST_CASE("operator: a missing node is looked for five times before the app gives up") {
  Bench bench;
  bench.receive(command(action("click", R"({"matcher":{"textEquals":"nowhere"}})")));
  bench.finish();
  // 500 + 1000 + 2000 + 3000 ms, each +-15 %
  CHECK(bench.now >= at(5525ms));
  CHECK(bench.now <= at(7475ms));
  CHECK(bench.logged("attempt=4/5"));
}

TEST_CASE("operator: the timeout covers the run and is reported in the envelope") {
  Bench bench;
  bench.receive(command(action("sleep", R"({"durationMs":60000})"), "cmd-1", 2000));
  CHECK(bench.wake_at == at(2s));
  bench.advance(1999ms);
  CHECK(bench.of_kind(LogKind::envelope).empty());
  bench.advance(1ms);
  const Json envelope = bench.envelope();
  CHECK(envelope["status"] == "failed");
  CHECK(envelope["error"] == "Agent command timed out after 2000ms");
  CHECK(envelope["stepResults"].empty());
  CHECK(bench.app.idle());
  CHECK_FALSE(bench.wake_at);
}

TEST_CASE("operator: one command at a time; the next starts when the first is done") {
  Bench bench;
  bench.receive(command(action("sleep", R"({"durationMs":5000})"), "first"));
  bench.advance(1s);
  bench.receive(command(action("sleep", R"({"durationMs":1000})"), "second"));
  CHECK(
      bench.logged("[Clawperator-Command] queued commandId=second taskId=task-1 "
                   "waiting_for_active_command=true"));
  bench.finish();
  const auto envelopes = bench.of_kind(LogKind::envelope);
  REQUIRE(envelopes.size() == 2);
  CHECK(envelopes[0]->command_id == "first");
  CHECK(envelopes[0]->at == at(5s));
  CHECK(envelopes[1]->command_id == "second");
  CHECK(envelopes[1]->at == at(6s));
}

TEST_CASE("operator: waiting for the mutex counts against the timeout") {
  Bench bench;
  bench.receive(command(action("sleep", R"({"durationMs":5000})"), "first"));
  bench.receive(command(action("snapshot_ui"), "second", 1000));
  bench.finish();
  const auto envelopes = bench.of_kind(LogKind::envelope);
  REQUIRE(envelopes.size() == 2);
  CHECK(envelopes[0]->command_id == "second");
  CHECK(envelopes[0]->at == at(1s));
  CHECK(envelopes[0]->message.find("timed out after 1000ms") != std::string::npos);
  CHECK(envelopes[1]->at == at(5s));
}

TEST_CASE("operator: calling late changes no time stamp and no outcome") {
  const std::string plan =
      action("open_app", R"({"applicationId":"com.clawperator.conformance"})", "1") + "," +
      action("click", R"({"matcher":{"textEquals":"Later"}})", "2") + "," +
      action("wait_for_node", R"({"matcher":{"textEquals":"Here I am"}})", "3") + "," +
      action("snapshot_ui", "{}", "4");
  Bench prompt({.latencies = latencies(Profile::phone)});
  prompt.receive(command(plan));
  prompt.finish();
  Bench late({.latencies = latencies(Profile::phone)});
  late.receive(command(plan));
  late.advance(60s);
  CHECK(prompt.log == late.log);
  CHECK(prompt.envelope()["status"] == "success");
}

TEST_CASE("operator: the same seed gives the same story, another seed another one") {
  const auto story = [](std::uint64_t seed) {
    Bench bench({.latencies = latencies(Profile::phone), .seed = seed});
    bench.receive(command(action("open_app", R"({"applicationId":"com.android.settings"})") + "," +
                          action("snapshot_ui")));
    bench.finish();
    return bench.log;
  };
  CHECK(story(7) == story(7));
  CHECK(story(7) != story(8));
}

TEST_CASE("operator: the phone profile takes time, the zero profile takes none") {
  Bench zero;
  zero.receive(command(action("open_app", R"({"applicationId":"com.android.settings"})")));
  CHECK(zero.of_kind(LogKind::envelope).size() == 1);
  Bench phone({.latencies = latencies(Profile::phone)});
  phone.receive(command(action("open_app", R"({"applicationId":"com.android.settings"})")));
  CHECK(phone.of_kind(LogKind::envelope).empty());
  phone.finish();
  CHECK(phone.now >= at(320ms));
  CHECK(phone.now <= at(700ms));
}

TEST_CASE("operator: a killed process leaves no envelope and can be spoken to again") {
  Bench bench;
  bench.receive(command(action("sleep", R"({"durationMs":5000})")));
  bench.app.kill();
  bench.advance(10s);
  CHECK(bench.of_kind(LogKind::envelope).empty());
  bench.receive(command(action("snapshot_ui")));
  CHECK(bench.of_kind(LogKind::envelope).size() == 1);
}

TEST_CASE("operator: text that is no UTF-8 never reaches an envelope") {
  Bench bench;
  bench.receive(command(action("enter_text", "{\"matcher\":{\"role\":\"x\"},\"text\":\"\xff\"}")));
  bench.finish();
  CHECK(bench.of_kind(LogKind::envelope).empty());
}
