#include "runtime/engine/result_collector.hpp"
#include "runtime/ui/hierarchy.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "support/collector_bench.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace adbproto;

TEST_CASE("collector: a result in one entry is the envelope", "[engine]") {
  Collected at;
  at.log("some other line");
  CHECK_FALSE(at.collector.envelope());
  at.log(envelope(kId, "hello"));
  CHECK(at.text() == "hello");
}

TEST_CASE("collector: a result the logger cut is put together again", "[engine]") {
  struct Row {
    const char* name;
    std::string text;
  };
  const auto row = GENERATE(values<Row>({
      {"ASCII", repeated("abcdefghij", 2000)},
      {"two bytes a letter", repeated("äöü", 4000)},
      {"three bytes a letter", repeated("界", 9001)},
      {"pairs, even", repeated("😀", 5000)},
      {"pairs, odd", "x" + repeated("😀", 5000)},
      {"line breaks", repeated("line\n", 3000)},
      {"quotes and backslashes", repeated("\"\\", 4000)},
  }));
  INFO(row.name);
  Collected at;
  at.log(envelope(kId, row.text));
  CHECK((at.text() == row.text));
}

TEST_CASE("collector: a result of any length around the cut survives", "[engine]") {
  const std::size_t frame = envelope(kId, "").size();
  for (const std::size_t units : {3998u, 3999u, 4000u, 4001u, 7999u, 8000u, 8001u}) {
    INFO(units << " units");
    Collected at;
    const std::string text(units - frame, 'y');
    at.log(envelope(kId, text));
    CHECK((at.text() == text));
  }
}

TEST_CASE("collector: writers that interleave do not mix", "[engine]") {
  Collected at;
  const auto ours = timber_entries(envelope(kId, repeated("o", 9000)));
  const auto other = timber_entries(envelope("cmd-8", repeated("t", 9000)));
  REQUIRE(ours.size() == 3);
  REQUIRE(other.size() == 3);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    REQUIRE(at.collector.add(line(ours[i], 100, 1)));
    REQUIRE(at.collector.add(line(other[i], 100, 2)));           // another thread
    REQUIRE(at.collector.add(line("noise", 2, 1)));              // another process
    REQUIRE(at.collector.add(line("more noise", 100, 1, "E")));  // another tag
  }
  CHECK((at.text() == repeated("o", 9000)));
}

TEST_CASE("collector: foreign and broken results are ignored", "[engine]") {
  Collected at;
  at.log(envelope("cmd-8"));
  at.log(envelope("cmd-77"));
  at.log("[Clawperator-Result] not json");
  at.log("[Clawperator-Result] {\"commandId\":\"cmd-8\",\"status\":");
  at.log("[Clawperator-Result]");
  CHECK_FALSE(at.collector.envelope());
  at.log(envelope(kId, "mine"));
  CHECK(at.text() == "mine");
}

TEST_CASE("collector: a broken result that names our command is an error", "[engine]") {
  const std::string message =
      GENERATE("[Clawperator-Result] {\"commandId\":\"cmd-7\",\"status\":",
               "[Clawperator-Result] {\"commandId\":\"cmd-7\"}",
               "[Clawperator-Result] {\"commandId\":\"cmd-7\",\"taskId\":\"t\",\"status\":\"odd\","
               "\"stepResults\":[],\"error\":null}");
  INFO(message);
  ResultCollector collector(std::string(kId), 0);
  const auto added = collector.add(line(message));
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
}

TEST_CASE("collector: a broken result that was cut into pieces is an error at its last piece",
          "[engine]") {
  std::string message = envelope(kId, repeated("x", 5000));
  message.resize(message.size() - 2);
  ResultCollector collector(std::string(kId), 0);
  const auto entries = timber_entries(message);
  REQUIRE(entries.size() == 2);
  CHECK(collector.add(line(entries[0])));
  const auto added = collector.add(line(entries[1]));
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
}

TEST_CASE("collector: ids are compared as JSON spells them", "[engine]") {
  const std::string id = "say \"hi\" \\ ü";
  ResultCollector collector(id, 0);
  REQUIRE(collector.add(line("[Clawperator-Result] {\"commandId\":" + quote_json("other") + "}")));
  const auto broken =
      collector.add(line("[Clawperator-Result] {\"commandId\":" + quote_json(id) + "}"));
  REQUIRE_FALSE(broken);
  CHECK(broken.error().code() == errc::result_envelope_malformed);
}

TEST_CASE("collector: the first of several results of ours counts, whatever follows", "[engine]") {
  Collected at;
  at.log(envelope(kId, "first"));
  at.log(envelope(kId, "second"));
  at.log("[Clawperator-Result] {\"commandId\":\"cmd-7\"}");
  CHECK(at.text() == "first");
}

TEST_CASE("collector: a hierarchy keeps its text to the byte", "[engine]") {
  struct Row {
    const char* name;
    std::string inside;
  };
  const auto row = GENERATE(values<Row>({
      {"short", "<node text=\"a\" />"},
      {"value with a line break", "<node text=\"first\nsecond\" />"},
      {"value line beginning [", "<node text=\"list:\n[0] zero\n[1] one\" />"},
      {"blank lines", "<node text=\"a\n\n\nb\" />"},
      {"many lines", repeated("  <node text=\"row\" />\n", 400)},
      {"a long line", "<node text=\"" + repeated("w", 12'345) + "\" />"},
      {"a long line beyond ASCII", "<node text=\"" + repeated("世", 12'345) + "\" />"},
      {"a long line of pairs", "<node text=\"" + repeated("🦀", 6'001) + "\" />"},
      {"a line of 3999", repeated("p", 3999) + "\nnext"},
      {"shows the result marker", "<node text=\"[Clawperator-Result] {}\" />"},
      {"shows the result marker on a line of its own",
       "<node text=\"\n[Clawperator-Result] {&quot;commandId&quot;:&quot;cmd-7&quot;}\n\" />"},
      {"shows the hierarchy marker", "<node text=\"[TaskScope] UI Hierarchy: was here\" />"},
      {"shows the hierarchy marker on a line of its own",
       "<node text=\"log:\n[TaskScope] UI Hierarchy: was here\n\" />"},
      {"shows the hierarchy marker alone on a line",
       "<node text=\"log:\n[TaskScope] UI Hierarchy:\nand more\" />"},
      {"shows the marker that names us alone on a line",
       "<node text=\"log:\n[TaskScope] UI Hierarchy [commandId=cmd-7]:\n\n\" />"},
      {"shows that a command starts",
       "<node text=\"\n[Clawperator-Command] start commandId=cmd-8 taskId=t\n\" />"},
      {"shows a record of another command",
       "<node text=\"\n[Clawperator-Publication] x\n[Clawperator-Result-Chunk] y\n\" />"},
      {"shows an event marker", "<node text=\"\n[Clawperator-Event] cmd-7\n\" />"},
      {"shows an escaped end", "<node text=\"&lt;/hierarchy>\n\" />"},
  }));
  INFO(row.name);
  const bool padded = GENERATE(false, true);  // beyond the size at which the logger splits
  const std::string inside = padded ? row.inside + "\n" + repeated("<node />\n", 500) : row.inside;
  Collected at;
  at.log(hierarchy(inside));
  REQUIRE(at.hierarchies().size() == 1);
  CHECK((at.hierarchies()[0] == xml(inside)));
}

TEST_CASE("collector: the marker that names a command is understood too", "[engine]") {
  Collected at;
  at.log("[TaskScope] UI Hierarchy [commandId=cmd-7]:\n" + xml("<node />"));
  REQUIRE(at.hierarchies().size() == 1);
  CHECK(at.hierarchies()[0] == xml("<node />"));
}

TEST_CASE("collector: a hierarchy that names another command is not ours", "[engine]") {
  const std::string inside = GENERATE(std::string("<node />"), repeated("<node />\n", 500));
  Collected at;
  at.log("[TaskScope] UI Hierarchy [commandId=cmd-8]:\n" + xml(inside));
  at.log("[TaskScope] UI Hierarchy [commandId=cmd-77]:\n" + xml(inside));
  at.log("[TaskScope] UI Hierarchy [commandId=cmd-7]:\n" + xml("<node />"));
  CHECK(at.hierarchies().size() == 1);
}

TEST_CASE("collector: what was drawn before our command began is another command's", "[engine]") {
  Collected at(4, false);
  at.log(hierarchy("<node text=\"theirs\" />"));
  at.log(envelope("cmd-8"));
  at.log("[Clawperator-Command] start commandId=cmd-7 taskId=t");
  at.log(hierarchy("<node text=\"ours\" />"));
  at.log(envelope(kId));
  REQUIRE(at.hierarchies().size() == 1);
  CHECK(at.hierarchies()[0] == xml("<node text=\"ours\" />"));
}

TEST_CASE("collector: a result that quotes a hierarchy is a result", "[engine]") {
  const std::size_t size = GENERATE(10u, 3950u, 20'000u);
  const std::string text =
      repeated("x", size) + hierarchy("<node />") + envelope("cmd-8") + repeated("y", size);
  Collected at;
  at.log(envelope(kId, text));
  CHECK((at.text() == text));
  CHECK(at.hierarchies().empty());
}

TEST_CASE("collector: a result may quote a hierarchy where the logger cuts it", "[engine]") {
  const std::string quoted = "[TaskScope] UI Hierarchy:<hierarchy></hierarchy>";
  const std::size_t frame = envelope(kId, "").find("\"text\":\"") + 8;
  const std::string text = std::string(4000 - frame, 'x') + quoted;
  Collected at;
  REQUIRE(timber_entries(envelope(kId, text)).at(1).starts_with(quoted));
  at.log(envelope(kId, text));
  CHECK((at.text() == text));
}

TEST_CASE("collector: hierarchy and result of one writer follow each other", "[engine]") {
  Collected at;
  at.log(hierarchy(repeated("<node text=\"one\" />\n", 300)));
  at.log(hierarchy("<node text=\"two\" />"));
  at.log(envelope(kId, "done"));
  CHECK(at.hierarchies().size() == 2);
  CHECK(at.hierarchies()[1] == xml("<node text=\"two\" />"));
  CHECK(at.text() == "done");
}

TEST_CASE("collector: a hierarchy without its end is none", "[engine]") {
  Collected at;
  const auto entries = timber_entries(hierarchy(repeated("<node text=\"one\" />\n", 300)));
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    REQUIRE(at.collector.add(line(entries[i])));
  }
  at.log(envelope(kId, "done"));
  CHECK(at.text() == "done");
  CHECK(at.hierarchies().empty());
}

TEST_CASE("collector: a new hierarchy takes the place of an unfinished one", "[engine]") {
  Collected at;
  const auto entries = timber_entries(hierarchy(repeated("<node text=\"one\" />\n", 300)));
  for (std::size_t i = 0; i < 10; ++i) REQUIRE(at.collector.add(line(entries[i])));
  at.log(hierarchy(repeated("<node text=\"two\" />\n", 300)));
  REQUIRE(at.hierarchies().size() == 1);
  CHECK((at.hierarchies()[0] == xml(repeated("<node text=\"two\" />\n", 300))));
}

TEST_CASE("collector: all hierarchies of a plan are kept, none of a plan without snapshots",
          "[engine]") {
  Collected two(2);
  Collected none(0);
  for (const char* text : {"a", "b", "c"}) {
    two.log(hierarchy(text));
    none.log(hierarchy(text));
  }
  CHECK(two.hierarchies() == std::vector<std::string>{xml("a"), xml("b"), xml("c")});
  CHECK(none.hierarchies().empty());
}

TEST_CASE("collector: lines of other processes never enter a hierarchy", "[engine]") {
  Collected at;
  const std::string message = hierarchy(repeated("<node text=\"one\" />\n", 300));
  for (const std::string& entry : timber_entries(message)) {
    REQUIRE(at.collector.add(line(entry, 100, 101)));
    REQUIRE(at.collector.add(line("I am another process", 200, 101)));
    REQUIRE(at.collector.add(line("I am another thread", 100, 102)));
  }
  REQUIRE(at.hierarchies().size() == 1);
  CHECK((at.hierarchies()[0] == xml(repeated("<node text=\"one\" />\n", 300))));
}

TEST_CASE("collector: a text beyond 32 MiB is dropped, and the run goes on", "[engine]") {
  Collected at;
  REQUIRE(at.collector.add(line("[TaskScope] UI Hierarchy:", 100, 9)));
  REQUIRE(at.collector.add(line("<hierarchy>", 100, 9)));
  const std::string row(4000, 'x');
  for (std::size_t size = 0; size <= kMaxHierarchyBytes; size += row.size()) {
    REQUIRE(at.collector.add(line(row, 100, 9)));
  }
  REQUIRE(at.collector.add(line("</hierarchy>", 100, 9)));
  at.log(hierarchy("<node />"));
  at.log(envelope(kId, "fine"));
  CHECK(at.text() == "fine");
  CHECK(at.hierarchies().size() == 1);
}

TEST_CASE("collector: an endless result of ours is malformed", "[engine]") {
  ResultCollector collector(std::string(kId), 0);
  std::string piece = envelope(kId, repeated("x", 4000));
  piece.resize(4000);
  REQUIRE(collector.add(line(piece)));
  const std::string more(4000, 'x');
  Result<void> added;
  std::size_t size = piece.size();
  while (added && size < 2 * kMaxEnvelopeBytes) {
    added = collector.add(line(more));
    size += more.size();
  }
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::result_envelope_malformed);
  CHECK(size <= kMaxEnvelopeBytes + 8000);
}

TEST_CASE("collector: many unfinished writers push out the oldest, not ours", "[engine]") {
  Collected at;
  const auto ours = timber_entries(envelope(kId, repeated("o", 9000)));
  REQUIRE(at.collector.add(line(ours[0])));
  for (std::int32_t pid = 1000; pid < 1060; ++pid) {
    REQUIRE(at.collector.add(line("[TaskScope] UI Hierarchy:", pid, pid)));
  }
  REQUIRE(at.collector.add(line(ours[1])));
  for (std::int32_t pid = 2000; pid < 2060; ++pid) {
    REQUIRE(at.collector.add(line("[TaskScope] UI Hierarchy:", pid, pid)));
  }
  REQUIRE(at.collector.add(line(ours[2])));
  CHECK((at.text() == repeated("o", 9000)));
}

TEST_CASE("collector: events and lines that name our command are passed on", "[engine]") {
  Collected at(4, false);
  std::vector<std::string> events;
  at.collector.on_event([&](std::string_view text) { events.emplace_back(text); });
  at.log("[Clawperator-Event] {\"commandId\":\"cmd-7\",\"step\":1} ");
  at.log("[Clawperator-Event] {\"commandId\":\"cmd-8\",\"step\":1}");
  at.log("[Clawperator-Command] start commandId=cmd-7 taskId=t");
  CHECK(events == std::vector<std::string>{"{\"commandId\":\"cmd-7\",\"step\":1}"});
  CHECK(at.collector.correlated() ==
        std::vector<std::string>{"[Clawperator-Event] {\"commandId\":\"cmd-7\",\"step\":1} ",
                                 "[Clawperator-Command] start commandId=cmd-7 taskId=t"});
}

TEST_CASE("collector: the stages of our command are passed on, as the log has them",
          "[engine][F44]") {
  Collected at(4, false);
  std::vector<std::string> stages;
  at.collector.on_stage([&](const Stage& stage) {
    stages.push_back(std::string(stage.name) + "|" + std::string(stage.operation) + "|" +
                     std::string(stage.detail));
  });
  at.log("[Clawperator-Command] queued commandId=cmd-7 taskId=t waiting_for_active_command=true");
  CHECK_FALSE(at.collector.started());
  at.log("[Clawperator-Command] stage-start commandId=cmd-8 taskId=t id=click label=click");
  CHECK_FALSE(at.collector.started());
  at.log("[Clawperator-Command] start commandId=cmd-7 taskId=t source=s");
  CHECK(at.collector.started());
  at.log("[Clawperator-Command] stage-start commandId=cmd-7 taskId=t id=click label=click");
  at.log("[Clawperator-Command] stage-retry commandId=cmd-7 taskId=t id=click(a b) attempt=1/3");
  at.log("[Clawperator-Command] stage-success commandId=cmd-7 taskId=t id=logUiTree");
  at.log("[Clawperator-Command] stage-failure commandId=cmd-7 taskId=t");
  CHECK(stages == std::vector<std::string>{"start|click|label=click",
                                           "retry|click(a b)|attempt=1/3", "success|logUiTree|",
                                           "failure||"});
}

TEST_CASE("collector: the last 30 correlated lines, 2048 bytes each", "[engine]") {
  Collected at(4, false);
  for (int i = 0; i < 40; ++i) at.log("cmd-7 " + std::to_string(i) + repeated(".", 3000));
  REQUIRE(at.collector.correlated().size() == 30);
  CHECK(at.collector.correlated().front().starts_with("cmd-7 10"));
  CHECK(at.collector.correlated().back().starts_with("cmd-7 39"));
  CHECK(at.collector.correlated().back().size() == 2048);
}

TEST_CASE("collector: ids match to their ends", "[engine][F4]") {
  const std::string other = GENERATE("cmd-70", "cmd-7.1", "cmd-7_", "xcmd-7", "cmd-7ü", "cmd-7-7");
  INFO(other);
  Collected at(1);
  std::vector<std::string> events;
  at.collector.on_event([&](std::string_view text) { events.emplace_back(text); });
  at.log(hierarchy("<node text=\"ours\" />"));
  at.log("[Clawperator-Event] {\"commandId\":\"" + other + "\"}");
  at.log("[Clawperator-Command] stage-success commandId=" + other + " taskId=t");
  at.log(envelope(other));
  CHECK(events.empty());
  CHECK(at.collector.correlated().size() == 1);
  CHECK(at.hierarchies().size() == 1);
}

TEST_CASE("collector: a foreign result is never read, ours once, in whatever pieces",
          "[engine][F7]") {
  const bool ours = GENERATE(false, true);
  const std::string id = ours ? "cmd-7" : "cmd-8";
  std::string piece = envelope(id, "") + std::string(4000, '}');
  piece = piece.substr(0, piece.find("\"text\":\"") + 8);
  piece.resize(4000, '}');
  ResultCollector collector(std::string(kId), 0);
  REQUIRE(collector.add(line(piece)));
  const std::string more(4000, '}');
  for (int i = 0; i < 1000; ++i) REQUIRE(collector.add(line(more)));
  CHECK(collector.extra_work() == 0);
  REQUIRE(collector.add(line("\"}}],\"error\":null}")));
  CHECK(collector.envelope().has_value() == ours);
  const std::size_t size = 4000 - 20 + 4'000'000 + 18;  // without the marker
  CHECK(collector.extra_work() <= (ours ? size : 0));
}

TEST_CASE("collector: a whole result whose last piece is a full one needs no further line",
          "[engine][F7]") {
  const std::string message = envelope(kId, std::string(8000 - envelope(kId, "").size(), 'z'));
  REQUIRE(timber_entries(message).size() == 2);
  Collected at;
  at.log(message);
  CHECK(at.collector.envelope().has_value());
}

TEST_CASE("collector: a message may come as one entry or line by line", "[engine]") {
  Collected at;
  const std::string message = hierarchy("  <node text=\"a\nb\" />\n  <node text=\"c\" />") + "\n";
  std::size_t from = 0;
  while (from < message.size()) {
    const auto end = message.find('\n', from);
    REQUIRE(at.collector.add(line(message.substr(from, end - from))));
    REQUIRE(at.collector.add(line("noise", 300, 300)));
    from = end + 1;
  }
  at.log(envelope(kId));
  REQUIRE(at.hierarchies().size() == 1);
  CHECK(at.hierarchies()[0] == xml("  <node text=\"a\nb\" />\n  <node text=\"c\" />"));
}

TEST_CASE("collector: a large result is left to another reader, with the same outcome",
          "[engine]") {
  Collected at;
  at.collector.leave_results_above(1000);
  at.log(envelope(kId, "short"));
  CHECK_FALSE(at.collector.unread());
  CHECK(at.text() == "short");

  for (const bool broken : {false, true}) {
    Collected large;
    large.collector.leave_results_above(1000);
    large.log(envelope(kId, std::string(5000, 'z')));
    REQUIRE(large.collector.unread());
    CHECK_FALSE(large.collector.envelope());
    CHECK(large.collector.held() >= 5000);
    large.log(envelope(kId, std::string(6000, 'y')));  // logged twice: the first one counts
    CHECK(large.collector.unread()->contains("zzz"));
    auto parsed = parse_envelope(*large.collector.unread());
    REQUIRE(parsed);
    if (broken) parsed = fail(errc::result_envelope_malformed, "broken");
    CHECK(large.collector.finish_unread(std::move(parsed)).has_value() == !broken);
    CHECK_FALSE(large.collector.unread());
    if (!broken) CHECK(large.text() == std::string(5000, 'z'));
    CHECK(large.collector.envelope().has_value() == !broken);
  }

  // One that comes whole and short while the large one is read.
  Collected two;
  two.collector.leave_results_above(1000);
  two.log(envelope(kId, std::string(5000, 'z')));
  auto parsed = parse_envelope(*two.collector.unread());
  two.log(envelope(kId, "short"));
  REQUIRE(two.collector.finish_unread(std::move(parsed)));
  CHECK(two.text() == "short");
}
