#include "runtime/trace/trace.hpp"

#include <asio/io_context.hpp>
#include <catch2/catch.hpp>

#include "support/manual_time.hpp"
#include "support/trace_events.hpp"

using namespace adbproto;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;

namespace {

struct Bench {
  adbproto::testing::ManualTime time;
  TraceEvents events;
  Trace trace{&events, {"clawperator 1.0 serve", 42, 1'763'762'463'123'456us}};
};

TraceTime at(std::chrono::nanoseconds time) { return TraceTime(time); }

}  // namespace

TEST_CASE("trace: it begins with the process's name and the wall clock's time", "[unit]") {
  const Bench bench;
  REQUIRE(bench.events.all.size() == 2);
  CHECK(bench.events.all[0]["name"] == "process_name");
  CHECK(bench.events.all[0]["args"]["name"] == "clawperator 1.0 serve");
  CHECK(bench.events.all[1]["name"] == "clock");
  CHECK(bench.events.all[1]["args"]["wallTimeMicros"] == 1'763'762'463'123'456);
  CHECK(bench.events.all[1]["pid"] == 42);
}

TEST_CASE("trace: what goes on at once has rows of its own, which are used again", "[unit]") {
  Bench bench;
  const Track first = bench.trace.take("execution", at(0ns));
  const Track second = bench.trace.take("execution", at(0ns));
  CHECK(first != second);
  CHECK(bench.events.row_title(static_cast<int>(first)) == "execution");
  CHECK(bench.events.row_title(static_cast<int>(second)) == "execution 2");
  bench.trace.give_back("execution", first);
  CHECK(bench.trace.take("execution", Clock::now()) == first);
}

TEST_CASE("trace: requests that overlap are not on one row", "[unit]") {
  Bench bench;
  const auto start = Clock::now();
  bench.trace.complete_on("adb server", "one", start, {});
  bench.trace.complete_on("adb server", "two", start - 1us, {});
  bench.trace.complete_on("adb server", "three", Clock::now(), {});
  CHECK(bench.events.on_row("adb server") == std::vector<std::string>{"X one", "X three"});
  CHECK(bench.events.on_row("adb server 2") == std::vector<std::string>{"X two"});
}

TEST_CASE("trace: rows are bounded, whatever comes and goes", "[unit]") {
  Bench bench;
  for (int i = 0; i < 3000; ++i) {
    bench.trace.complete_on("tcp " + std::to_string(i), "x", Clock::now(), {});
  }
  int rows = 0;
  for (const auto& event : bench.events.all) rows += event["name"] == "thread_name" ? 1 : 0;
  CHECK(rows == 2000);
  CHECK(bench.events.all.back()["tid"] == 2001);
}

TEST_CASE("trace: a loop is traced or not", "[unit]") {
  asio::io_context loop;
  CHECK(Trace::of(loop.get_executor()) == nullptr);
  CHECK(WireWatch::of(loop.get_executor()) == nullptr);
  Bench bench;
  bench.trace.watch(loop.get_executor());
  CHECK(Trace::of(loop.get_executor()) == &bench.trace);
  CHECK(WireWatch::of(loop.get_executor()) == &bench.trace);
}

TEST_CASE("trace: packets of a link are instants with their ids and lengths", "[unit]") {
  Bench bench;
  auto link = bench.trace.on_link("tcp phone:5555");
  link->on_packet({Direction::sent, Command::connect, 0x01000001, 0x100000, 300});
  link->on_packet({Direction::received, Command::auth, 1, 0, 20});
  link->on_packet({Direction::received, Command::stls, 0x01000000, 0, 0});
  link->on_packet({Direction::received, Command(0x58322141), 0, 0, 0});
  link->on_end("reset by peer");
  CHECK(bench.events.on_row("tcp phone:5555") ==
        std::vector<std::string>{"i CNXN", "i AUTH", "i STLS", "i A??X", "i link ended"});
  const auto connect = bench.events.find("CNXN")["args"];
  CHECK(connect ==
        nlohmann::json{
            {"direction", "sent"}, {"arg0", 0x01000001}, {"arg1", 0x100000}, {"length", 300}});
  CHECK(bench.events.find("AUTH")["args"]["direction"] == "received");
  CHECK(bench.events.find("link ended")["args"]["reason"] == "reset by peer");
}

TEST_CASE("trace: a broadcast's payload and a pairing code are in no service's name", "[unit]") {
  Bench bench;
  const std::string_view broadcast =
      "shell,v2,raw:cmd activity broadcast -a x --es payload '{\"text\":\"hunter2\"}'";
  bench.trace.on_link("usb 1-1")->on_packet(
      {Direction::sent, Command::open, 5, 0, broadcast.size(), broadcast});
  bench.trace.on_request({broadcast, "OKAY", Clock::now()});
  CHECK(bench.events.find("OPEN")["args"]["service"] ==
        "shell,v2,raw:cmd activity broadcast -a x --es payload [REDACTED]");
  bench.trace.on_request({"host:pair:246813:phone:37000", "OKAY", Clock::now()});
  CHECK(bench.events.text().find("hunter2") == std::string::npos);
  CHECK(bench.events.text().find("246813") == std::string::npos);
  CHECK(redacted_request("host:pair:246813:phone:37000") == "host:pair:[REDACTED]:phone:37000");
  CHECK(redacted_request("host:pair:246813") == "host:pair:[REDACTED]");
  CHECK(redacted_request("host:version") == "host:version");
}

TEST_CASE("trace: a request says what was answered, or that nothing was", "[unit]") {
  Bench bench;
  bench.trace.on_request({"host:version", "OKAY", Clock::now()});
  bench.trace.on_request({"host:devices", "", Clock::now()});
  CHECK(bench.events.find("host:version")["args"]["answer"] == "OKAY");
  CHECK(bench.events.find("host:devices")["args"]["answer"] == "none");
}
