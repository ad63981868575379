// Which entries are our command's: by its id, by the process that named it first, by the lines that
// start and end it.

#include "runtime/engine/result_collector.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "support/collector_bench.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace adbproto;

TEST_CASE("collector: another app's hierarchy is never ours", "[engine][F2]") {
  const bool long_one = GENERATE(false, true);
  const std::string theirs =
      hierarchy(long_one ? repeated("<node text=\"theirs\" />\n", 300) : "<node text=\"t\" />");
  Collected at(1);
  at.log(theirs, 200);
  at.log(hierarchy("<node text=\"ours\" />"));
  at.log(theirs, 200);
  at.log("[Clawperator-Command] start commandId=cmd-8 taskId=t", 200);
  at.log(theirs, 200);
  CHECK(at.hierarchies() == std::vector<std::string>{xml("<node text=\"ours\" />")});
}

TEST_CASE("collector: without ours, another app's hierarchy does not take its place",
          "[engine][F2]") {
  Collected at(1);
  at.log(hierarchy("<node text=\"theirs\" />"), 200);
  at.log(envelope(kId));
  at.log(hierarchy("<node text=\"theirs\" />"), 200);
  CHECK(at.hierarchies().empty());
}

TEST_CASE("collector: a hierarchy counts between the lines that our command starts and ends",
          "[engine][F3][S1]") {
  struct Row {
    const char* name;
    std::vector<std::string> before, behind;
    bool ours;
  };
  const std::string start(kStart);
  const std::string other = "[Clawperator-Command] start commandId=cmd-70 taskId=t";
  const auto row = GENERATE_COPY(values<Row>({
      {"between them", {start}, {}, true},
      {"the start's own line was lost",
       {"[Clawperator-Command] stage-start commandId=cmd-7 taskId=t id=x"},
       {},
       true},
      {"before the start", {}, {start}, false},
      {"while it waits", {"[Clawperator-Command] queued commandId=cmd-7 taskId=t"}, {start}, false},
      {"after its end",
       {start, "[Clawperator-Command] success commandId=cmd-7 taskId=t"},
       {},
       false},
      {"after a failure", {start, "[Clawperator-Command] failure commandId=cmd-7 t"}, {}, false},
      {"while another one runs", {start, other}, {}, false},
      {"another one waits",
       {start, "[Clawperator-Command] queued commandId=cmd-70 taskId=t"},
       {},
       true},
      {"behind the result", {start, snapshot_envelope()}, {}, false},
  }));
  INFO(row.name);
  Collected at(1, false);
  for (const std::string& text : row.before) at.log(text);
  at.log(hierarchy("<node text=\"ours\" />"));
  for (const std::string& text : row.behind) at.log(text);
  CHECK(at.hierarchies().size() == (row.ours ? 1 : 0));
}

TEST_CASE("collector: another process that answers for our command is the app after a restart",
          "[engine][S1]") {
  const std::string message = GENERATE(
      envelope(kId), std::string("[Clawperator-Command] start commandId=cmd-7 taskId=t"),
      std::string("[Clawperator-Command] queued commandId=cmd-7 taskId=t"),
      "[TaskScope] UI Hierarchy [commandId=cmd-7]:\n" + xml("<node />"),
      std::string("[Clawperator-Publication] {\"commandId\":\"cmd-7\",\"event\":\"started\"}"),
      std::string("[Clawperator-Result-Chunk] {\"commandId\":\"cmd-7\"}"));
  INFO(message);
  Collected at;
  const auto added = at.collector.add(line(message, 101, 101));
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
  CHECK_THAT(added.error().message(), Catch::Contains("restarted"));

  Collected answered;  // what comes behind the answer changes nothing
  answered.log(envelope(kId, "mine"));
  REQUIRE(answered.collector.add(line(message, 101, 101)));
  CHECK(answered.text() == "mine");
}

TEST_CASE("collector: a command that waits in the app's line, and behind which others",
          "[engine][today]") {
  Collected at(1, false);
  at.log("[Clawperator-Command] start commandId=theirs-1 taskId=t source=s");
  at.log("[Clawperator-Command] queued commandId=cmd-7 taskId=t waiting_for_active_command=true");
  CHECK(at.collector.is_queued());
  at.log("[Clawperator-Command] stage-start commandId=theirs-1 taskId=t id=x");
  at.log("[Clawperator-Command] queued commandId=an id with spaces taskId=t");
  CHECK(at.collector.other_commands() == std::vector<std::string>{"theirs-1", "an id with spaces"});
  for (int i = 0; i < 20; ++i) {
    at.log("[Clawperator-Command] queued commandId=" + std::to_string(i) + " taskId=t");
  }
  CHECK(at.collector.other_commands().size() == 8);
  at.log("[Clawperator-Command] failure commandId=cmd-7 taskId=t");  // its time was over
  CHECK(at.collector.is_queued());
  at.log(kStart);
  CHECK_FALSE(at.collector.is_queued());
}

TEST_CASE("collector: both names of the app are understood", "[engine][today]") {
  Collected at(1, false);
  std::string answer = envelope(kId, "mine");
  answer.replace(0, std::string("[Clawperator-").size(), "[Androperator-");
  at.log("[Androperator-Command] start commandId=cmd-7 taskId=t");
  at.log(hierarchy("<node />"));
  at.log(answer);
  CHECK(at.text() == "mine");
  CHECK(at.hierarchies().size() == 1);
}
