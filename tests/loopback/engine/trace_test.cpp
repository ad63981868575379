// An execution in the trace of its loop.

#include "runtime/engine/execution_trace.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/log/event_log.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"
#include "support/trace_events.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

constexpr std::string_view kTyping =
    R"({"id":"a1","type":"enter_text","params":{"matcher":{"textEquals":"Password"},"text":"hunter2"}})";
const Traceparent kParent{"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true};

struct Traced {
  Traced() { trace.watch(at.loop.executor()); }

  void answers(std::vector<std::string> lines) {
    at.phone.on_broadcast = [this, lines](const std::string&) {
      for (const std::string& line : lines) at.phone.log(line);
    };
  }

  TraceEvents events;
  Trace trace{&events, {"clawperator", 42, 1us}};
  EngineBench at;
};

std::int64_t nanos(const json& micros) {
  return static_cast<std::int64_t>(micros.get<double>() * 1000 + 0.5);
}

}  // namespace

TEST_CASE("engine trace: an execution is a span, its phases stand inside", "[loopback]") {
  Traced of;
  of.answers({"[Clawperator-Command] start commandId=c-1 taskId=t-1",
              "[Clawperator-Command] stage-start commandId=c-1 taskId=t-1 id=click attempt=1/3",
              "[Clawperator-Command] stage-success commandId=c-1 taskId=t-1 id=click",
              result_line(step("a1", "click"))});
  const auto result = of.at.run(kClick);
  REQUIRE(result);
  CHECK(of.events.on_row("execution") ==
        std::vector<std::string>{"B click", "X resolve", "X attach", "X queue", "i start click",
                                 "i success click", "X dispatch", "X device", "X parse", "E"});
  CHECK(of.events.on_row("execution, beside") == std::vector<std::string>{"X preflight"});
  const json begin = of.events.find("click");
  CHECK(begin["args"] == json{{"commandId", "c-1"},
                              {"taskId", "t-1"},
                              {"executionId", result->execution_id},
                              {"dispatchId", "c-1"}});
  CHECK(of.events.find("start click")["args"]["detail"] == "attempt=1/3");
}

TEST_CASE("engine trace: a phase is as long as the timings say, and inside its execution",
          "[loopback]") {
  Traced of;
  of.answers({result_line(step("a1", "click"))});
  const auto result = of.at.run(kClick);
  REQUIRE(result);
  const std::pair<const char*, std::chrono::microseconds> phases[] = {
      {"resolve", result->timings.resolve},     {"attach", result->timings.attach},
      {"preflight", result->timings.preflight}, {"dispatch", result->timings.dispatch},
      {"device", result->timings.device},       {"parse", result->timings.parse}};
  const std::int64_t began = nanos(of.events.find("click")["ts"]);
  for (const auto& [name, time] : phases) {
    INFO(name);
    const json phase = of.events.find(name);
    REQUIRE(phase.is_object());
    CHECK(nanos(phase["dur"]) / 1000 == time.count());
    CHECK(nanos(phase["ts"]) >= began);
    CHECK(nanos(phase["ts"]) + nanos(phase["dur"]) <= began + result->timings.total.count() * 1000);
  }
}

TEST_CASE("engine trace: nothing that is typed, and nothing that the app answers", "[loopback]") {
  Traced of;
  of.answers(
      {"[Clawperator-Event] commandId=c-1 typed hunter2",
       "[Clawperator-Command] stage-failure commandId=c-1 taskId=t-1 "
       "id=enterText(NodeMatcher(textEquals=Password), hunter2) attempt=3/3 reason=no Password",
       result_line(step("a1", "enter_text", false, R"({"message":"hunter2"})"), "failed")});
  REQUIRE(of.at.run(kTyping));
  CHECK(of.events.find("failure enterText").is_object());
  CHECK(of.events.find("event")["args"]["length"] == 27);
  for (const char* secret : {"hunter2", "Password"}) {
    CHECK(of.events.text().find(secret) == std::string::npos);
  }
  CHECK_THAT(of.events.text(), Catch::Contains("--es payload [REDACTED]"));
}

TEST_CASE("engine trace: what fails ends with its code, what is cut short, too", "[loopback]") {
  Traced of;
  of.answers({});
  const auto result = of.at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_envelope_timeout);
  CHECK(of.events.on_row("execution").back() == "E");
  CHECK(of.events.all.back().at("ph") == "X");  // the log's service, closed last
  CHECK_THAT(of.events.text(), Catch::Contains(R"("outcome":"RESULT_ENVELOPE_TIMEOUT")"));
}

TEST_CASE("engine trace: a device that is not found has a span that says so", "[loopback]") {
  Traced of;
  const ResolveDevice no_device = [](TargetOptions) -> Task<std::unique_ptr<Device>> {
    co_return fail(errc::device_not_found, "no such device");
  };
  REQUIRE_FALSE(
      of.at.time.run(of.at.loop, execute(EngineBench::request(kClick), nullptr, no_device)));
  CHECK(of.events.on_row("execution") == std::vector<std::string>{"B click", "X resolve", "E"});
  CHECK(of.events.all.back()["args"]["outcome"] == "DEVICE_NOT_FOUND");
}

TEST_CASE("engine trace: who asks is named, in the trace and in the log", "[loopback]") {
  Traced of;
  of.answers({result_line(step("a1", "click"))});
  EventLog log({.folder = of.at.home.file("logs")});
  ExecuteRequest request = EngineBench::request(kClick);
  request.traceparent = kParent;
  REQUIRE(of.at.time.run(of.at.loop, execute(request, &log, of.at.phone.resolve()), 20ms));
  const json args = of.events.find("click")["args"];
  CHECK(args["traceId"] == kParent.trace_id);
  CHECK(args["parentSpanId"] == kParent.span_id);
  CHECK(args["spanId"].get<std::string>().size() == 16);
  CHECK(args["spanId"] != kParent.span_id);
  REQUIRE(log.path());
  CHECK_THAT(file_text(*log.path()),
             Catch::Contains(R"("traceId":"0af7651916cd43dd8448eb211c80319c")"));
}

TEST_CASE("engine trace: two executions at once are on two rows", "[loopback]") {
  Traced of;
  const ResolveDevice silent = [](TargetOptions) -> Task<std::unique_ptr<Device>> {
    co_await sleep_for(1s);
    co_return fail(errc::device_not_found, "no such device");
  };
  const auto first = of.at.loop.start(execute(EngineBench::request(kClick), nullptr, silent));
  const auto second = of.at.loop.start(execute(EngineBench::request(kClick), nullptr, silent));
  CHECK_FALSE(of.at.time.finish(of.at.loop, first));
  CHECK_FALSE(of.at.time.finish(of.at.loop, second));
  CHECK(of.events.on_row("execution").size() == 3);
  CHECK(of.events.on_row("execution 2").size() == 3);
}
