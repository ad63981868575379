#include "simdroid/device/faults.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/sync.hpp"
#include "loopback/simdroid/sim_support.hpp"
#include "support/manual_time.hpp"

using namespace simdroid;
using simdroid::testing::Shelled;
using simdroid::testing::SimHost;

namespace {

constexpr const char* kBroadcast =
    "am broadcast -a 'app.clawperator.operator.ACTION_AGENT_COMMAND' -p 'com.clawperator.operator' "
    "--es 'payload' "
    R"('{"commandId":"c1","taskId":"t1","source":"test","expectedFormat":"android-ui-automator",)"
    R"("actions":[{"id":"a","type":"press_key","params":{"key":"home"}}],"timeoutMs":5000}')"
    " --receiver-foreground";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

std::string envelopes(SimHost& sim) {
  return sim.shell("logcat -d -v raw -e 'Clawperator-Result'").out;
}

void fault(SimHost& sim, const std::string& words) {
  const Shelled done = sim.shell("simctl fault " + words);
  INFO(done.err);
  REQUIRE(done.status == 0);
}

}  // namespace

TEST_CASE("simdroid: a broadcast makes the app answer in the log") {
  SimHost sim;
  const Shelled ran = sim.shell(kBroadcast);
  CHECK(ran.out.starts_with(
      "Broadcasting: Intent { act=app.clawperator.operator.ACTION_AGENT_COMMAND flg=0x10400000 "
      "pkg=com.clawperator.operator (has extras) }\n"));
  CHECK(ran.out.ends_with("Broadcast completed: result=0\n"));
  CHECK(count(envelopes(sim), R"("commandId":"c1")") == 1);
  CHECK(sim.phone().counters.get("broadcast") == 1);
}

TEST_CASE("simdroid: a broadcast to a package that is not there completes all the same") {
  SimHost sim;
  fault(sim, "package-missing");
  const Shelled ran = sim.shell(kBroadcast);
  CHECK(ran.status == 0);
  CHECK(ran.out.ends_with("Broadcast completed: result=0\n"));
  CHECK(envelopes(sim).empty());
  CHECK(sim.shell("pm list packages com.clawperator.operator").out.empty());
}

TEST_CASE("simdroid faults: envelopes") {
  SimHost sim;
  const auto [words, mine, marks] = GENERATE(table<std::string, std::size_t, std::size_t>({
      {"envelope-none", 0, 0},
      {"envelope-duplicate", 2, 2},
      {"envelope-foreign", 1, 2},
      {"envelope-foreign-malformed", 1, 2},
  }));
  fault(sim, words);
  sim.shell(kBroadcast);
  const std::string seen = envelopes(sim);
  INFO(words << "\n" << seen);
  CHECK(count(seen, R"("commandId":"c1")") == mine);
  CHECK(count(seen, "[Clawperator-Result]") == marks);
}

TEST_CASE("simdroid faults: a malformed envelope still names its command") {
  SimHost sim;
  fault(sim, "envelope-malformed");
  sim.shell(kBroadcast);
  const std::string seen = envelopes(sim);
  CHECK(count(seen, R"("commandId":"c1")") == 1);
  CHECK(count(seen, "\"error\":null}") == 0);
}

TEST_CASE("simdroid faults: a late envelope comes when its time has come") {
  adbproto::testing::ManualTime time;
  adbproto::testing::Loop loop;
  Phone phone(loop.executor(), {});
  phone.start();
  REQUIRE(phone.faults.set("envelope-late", "2000"));
  phone.operators.deliver(
      std::string(operator_names().front().package),
      R"({"commandId":"c1","taskId":"t1","source":"s","expectedFormat":"android-ui-automator",)"
      R"("actions":[{"id":"a","type":"sleep","params":{"durationMs":0}}],"timeoutMs":5000})");
  const auto seen = [&] {
    std::size_t found = 0;
    for (auto at = phone.log.first(); at < phone.log.end(); ++at) {
      found += phone.log.at(at).message.starts_with("[Clawperator-Result]") ? 1 : 0;
    }
    return found;
  };
  time.advance(loop, std::chrono::milliseconds(1900));
  CHECK(seen() == 0);
  time.advance(loop, std::chrono::milliseconds(200));
  CHECK(seen() == 1);
  const auto stopped = [](Phone* what) -> Task<void> {
    co_await what->stop();
    co_return ok();
  };
  CHECK(loop.run(stopped(&phone)));
}

TEST_CASE("simdroid faults: broadcasts are refused or lost") {
  SimHost sim;
  SECTION("refused") {
    fault(sim, "broadcast-refused Security exception: no");
    const Shelled ran = sim.shell(kBroadcast);
    CHECK(ran.status == 1);
    CHECK(ran.err == "Security exception: no\n");
  }
  SECTION("lost") {
    fault(sim, "broadcast-dropped");
    CHECK(sim.shell(kBroadcast).status == 0);
  }
  CHECK(envelopes(sim).empty());
}

TEST_CASE("simdroid faults: the accessibility service is off") {
  SimHost sim;
  fault(sim, "accessibility-off");
  sim.shell(kBroadcast);
  CHECK(count(envelopes(sim), "SERVICE_UNAVAILABLE") == 1);
}

TEST_CASE("simdroid faults: the settings are what the app goes by, too") {
  SimHost sim;
  sim.shell("settings put secure enabled_accessibility_services null; sleep 0.1");
  sim.shell(kBroadcast);
  CHECK(count(envelopes(sim), "SERVICE_UNAVAILABLE") == 1);
}

TEST_CASE("simdroid faults: only the other variant is installed") {
  SimHost sim;
  fault(sim, "package-variant");
  CHECK(sim.shell("pm list packages com.clawperator.operator").out ==
        "package:com.clawperator.operator.dev\n");
  CHECK(sim.shell("dumpsys package com.clawperator.operator.dev | grep versionName=").out ==
        "    versionName=0.12.5-d\n");
}

TEST_CASE("simdroid faults: screencap") {
  SimHost sim;
  fault(sim, "screencap-truncated 100");
  CHECK(sim.exchange("exec:screencap -p").size() == 100);
  fault(sim, "screencap-empty");
  CHECK(sim.exchange("exec:screencap -p").empty());
  sim.shell("simctl clear screencap-empty");
  sim.shell("simctl clear screencap-truncated");
  fault(sim, "screencap-fails");
  CHECK(sim.shell("screencap -p").status == 1);
  sim.shell("simctl reset");
  CHECK(sim.exchange("exec:screencap").size() == 16 + std::size_t{1080} * 2400 * 4);
}

TEST_CASE("simdroid faults: logcat dies after so many entries") {
  SimHost sim;
  fault(sim, "logcat-dies 1");
  const Shelled ran = sim.shell("logcat -v raw");
  CHECK(ran.status == 137);
  CHECK(count(ran.out, "\n") == 2);  // the heading and one entry
}

TEST_CASE("simdroid faults: log noise keeps its rate") {
  adbproto::testing::ManualTime time;
  adbproto::testing::Loop loop;
  Phone phone(loop.executor(), {});
  phone.start();
  REQUIRE(phone.faults.set("log-noise", "10000"));
  loop.settle();
  const auto before = phone.log.end();
  for (int i = 0; i < 100; ++i) time.advance(loop, std::chrono::milliseconds(10));
  const auto lines = phone.log.end() - before;
  CHECK(lines >= 9'800);
  CHECK(lines <= 10'200);
  const auto stopped = [](Phone* what) -> Task<void> {
    co_await what->stop();
    co_return ok();
  };
  CHECK(loop.run(stopped(&phone)));
}

TEST_CASE("simdroid faults: the link is cut, and the next one is whole") {
  SimHost sim;
  fault(sim, "link-cut 1000");
  const Shelled ran = sim.shell("seq 1 100000");
  CHECK_FALSE(ran.status.has_value());
  CHECK(ran.out.size() < 1000);
  sim.loop().settle();
  CHECK(sim.connection().is_closed());
  sim.connect();
  CHECK(sim.shell("echo again").out == "again\n");
}

TEST_CASE("simdroid faults: hostile headers and garbage break the link, not the phone") {
  const std::string words = GENERATE("link-hostile-length 500", "link-garbage 500");
  SimHost sim;
  fault(sim, words);
  CHECK_FALSE(sim.shell("seq 1 100000").status.has_value());
  sim.connect();
  CHECK(sim.shell("echo again").out == "again\n");
}

TEST_CASE("simdroid faults: shell v2 misbehaves") {
  SimHost sim;
  SECTION("no exit packet") {
    fault(sim, "shell-no-exit");
    const Shelled ran = sim.shell("echo hi");
    CHECK(ran.out == "hi\n");
    CHECK_FALSE(ran.status.has_value());
  }
  SECTION("hostile length") {
    fault(sim, "shell-hostile-length");
    CHECK(sim.exchange("shell,v2,raw:echo hi").starts_with("\x01\xff\xff\xff\xff"));
  }
  CHECK(sim.shell("simctl reset").status == 0);
  CHECK(sim.shell("echo hi").status == 0);
}

TEST_CASE("simdroid faults: services and features are switched off") {
  SimHost sim;
  fault(sim, "service-refused abb");
  fault(sim, "service-refused exec:screencap");
  CHECK_FALSE(sim.open("abb_exec:package"));
  CHECK_FALSE(sim.open("exec:screencap -p"));
  fault(sim, "feature-off delayed_ack");
  sim.connect();
  CHECK_FALSE(sim.connection().agreement().peer.features.has("delayed_ack"));
}

TEST_CASE("simdroid faults: an unknown one is refused, and every known one can be set") {
  SimHost sim;
  CHECK(sim.shell("simctl fault nosuch").status == 1);
  Faults faults;
  for (const FaultRow& row : fault_table()) CHECK(faults.set(row.name, ""));
  CHECK(faults.all().size() == fault_table().size());
}

TEST_CASE("simdroid: what hosts send is recorded, in order and byte by byte") {
  SimHost sim;
  using namespace std::string_literals;
  const auto text = [&sim] { return sim.shell("simctl received").out; };
  sim.exchange("abb_exec:package\0list\0packages\0x\xe9y"s);
  sim.shell("sh", "echo a; echo b\nif true; then\necho c; fi\n");
  sim.exchange("nosuch:service");
  sim.exchange("sync:", std::string(as_text(*encode_sync_request(SyncId::stat, "/sdcard"))) +
                            "QUIT\0\0\0\0"s);
  CHECK(text() == R"({"received":[["service","abb_exec:package\u0000list\u0000packages\u0000xéy"],)"
                  R"(["service","shell,v2,raw:sh"],["line","echo a; echo b\n"],)"
                  R"(["line","if true; then\necho c; fi\n"],["service","nosuch:service"],)"
                  R"(["service","sync:"],["sync","STAT /sdcard"],)"
                  R"(["service","shell,v2,raw:simctl received"]],"dropped":0})"
                  "\n");
  sim.shell("simctl reset");
  CHECK(text() == R"({"received":[["service","shell,v2,raw:simctl received"]],"dropped":0})"
                  "\n");
}

TEST_CASE("simdroid: what hosts send beyond the record's bound is counted") {
  Received received;
  for (int i = 0; i < 5000; ++i) received.add("service", "shell:true");
  CHECK((received.all().size() == 4096 && received.dropped() == 904));
  received.reset();
  received.add("line", std::string(4 << 20, 'x'));
  received.add("line", "y");
  CHECK((received.all().size() == 1 && received.dropped() == 1));
  received.reset();
  CHECK((received.all().empty() && received.dropped() == 0));
}

TEST_CASE("simdroid: counters say what a host did") {
  SimHost sim;
  sim.shell("am force-stop com.android.settings");
  sim.exchange("exec:screencap -p");
  sim.shell("logcat -c");
  const std::string stats = sim.shell("simctl stats").out;
  for (const char* wanted : {R"("force_stop":1)", R"("screencap":1)", R"("logcat_clear":1)",
                             R"("open.exec":1)", R"("connection":1)"}) {
    INFO(stats);
    CHECK(stats.contains(wanted));
  }
}
