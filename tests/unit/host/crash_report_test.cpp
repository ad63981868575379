#include "runtime/host/verbs/app_log.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

// As `logcat -v threadtime -v epoch` prints it; a comma in a message is no border.
const std::string kEvents =
    "--------- beginning of events\n"
    "         1700000001.500  1208  1300 I am_crash: "
    "[0,2981,com.x,551042628,java.lang.IllegalStateException,one, two,Main.java,42]\n"
    "         1700000002.000  1208  1300 I am_anr  : [0,3000,com.x:push,551042628,Input "
    "dispatching "
    "timed out (a, b)]\n"
    "         1700000009.000  1208  1300 I am_crash: [0,77,com.xyz,1,Native crash,Segmentation "
    "fault,unknown,0]\n";
const std::string kTraces =
    "clawperator-crashes\n"
    "--------- beginning of crash\n"
    "         1700000001.400  2981  2981 E AndroidRuntime: FATAL EXCEPTION: main\n"
    "         1700000001.400  2981  2981 E AndroidRuntime: Process: com.x, PID: 2981\n"
    "         1700000001.400  2981  2981 E AndroidRuntime: java.lang.IllegalStateException: one, "
    "two\n"
    "         1700000001.400  2981  2981 E AndroidRuntime: \tat com.x.Main.run(Main.java:42)\n"
    "         1700000001.400  2981  2981 E AndroidRuntime: Caused by: java.io.IOException\n";
const std::string kNative =
    "         1700000005.000  4100  4100 F DEBUG   : *** *** *** *** *** ***\n"
    "         1700000005.000  4100  4100 F DEBUG   : Build fingerprint: 'x'\n"
    "         1700000005.000  4100  4100 F DEBUG   : pid: 3300, tid: 3301, name: RenderThread  >>> "
    "com.x <<<\n"
    "         1700000005.000  4100  4100 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR)\n"
    "         1700000005.000  4100  4100 F DEBUG   :       #00 pc 0001 /x.so\n";

}  // namespace

TEST_CASE("crashes: the last one of the package's own processes", "[host]") {
  const CrashReport report = parse_crashes(kEvents + kTraces, "com.x");
  CHECK(report.crashes == 1);
  CHECK(report.anrs == 1);
  REQUIRE(report.last);
  CHECK(*report.last == Crash{CrashKind::anr,
                              1700000002000,
                              "com.x:push",
                              3000,
                              "",
                              "Input dispatching timed out (a, b)",
                              {}});
}

TEST_CASE("crashes: how long ago, by the phone's clock", "[host]") {
  CHECK(parse_crashes("1700000062\n" + kEvents, "com.x").ago_ms == 60000);
  CHECK(parse_crashes("1\n" + kEvents, "com.x").ago_ms == 0);
  CHECK_FALSE(parse_crashes("date: not found\n" + kEvents, "com.x").ago_ms);
  CHECK_FALSE(parse_crashes("1700000062\n", "com.x").ago_ms);
}

TEST_CASE("crashes: an exception with its trace", "[host]") {
  std::string events = kEvents;
  events.erase(events.find("         1700000002"));
  const CrashReport report = parse_crashes(events + kTraces, "com.x");
  CHECK(report.crashes == 1);
  REQUIRE(report.last);
  CHECK(*report.last ==
        Crash{CrashKind::java,
              1700000001500,
              "com.x",
              2981,
              "java.lang.IllegalStateException",
              "one, two",
              {"at com.x.Main.run(Main.java:42)", "Caused by: java.io.IOException"}});
}

TEST_CASE("crashes: the buffer for crashes alone, where the events have gone", "[host]") {
  const CrashReport report = parse_crashes(kTraces + kNative, "com.x");
  CHECK(report.crashes == 2);
  REQUIRE(report.last);
  CHECK(report.last->kind == CrashKind::native);
  CHECK(report.last->pid == 3300);
  CHECK(report.last->exception == "signal 11 (SIGSEGV)");
  CHECK(report.last->trace.back() == "#00 pc 0001 /x.so");
  const CrashReport first = parse_crashes(kTraces, "com.x");
  REQUIRE(first.last);
  CHECK(first.last->exception == "java.lang.IllegalStateException");
  CHECK(first.last->message == "one, two");
}

TEST_CASE("crashes: a newer release's event has one number more", "[host]") {
  const CrashReport report = parse_crashes(
      "1.000 1 1 I am_crash: [0,5,a.b,1,java.lang.Error,why,A.java,7,0]\nclawperator-crashes\n",
      "a.b");
  REQUIRE(report.last);
  CHECK(report.last->message == "why");
  CHECK(report.last->time_ms == 1000);
}

TEST_CASE("crashes: none", "[host]") {
  for (const std::string& printed : {std::string(), kEvents + kTraces, std::string("\n[["),
                                     std::string("1.000 1 1 I am_crash: []\n")}) {
    const CrashReport report = parse_crashes(printed, "com");
    CHECK_FALSE(report.last);
    CHECK(report.crashes == 0);
    CHECK(report.anrs == 0);
  }
}
