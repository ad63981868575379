#include "runtime/serve/service.hpp"

#include <catch2/catch.hpp>

#include "support/trace_events.hpp"

using namespace clawperator;
using namespace clawperator::serve;
using namespace std::chrono_literals;

namespace {

constexpr const char* kParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

http::Request request(http::Request::Pairs headers) {
  return {.method = "POST", .path = "/snapshot", .headers = std::move(headers)};
}

}  // namespace

TEST_CASE("request span: it is a span of its own in the client's trace", "[unit]") {
  const RequestSpan span(nullptr, request({{"host", "x"}, {"traceparent", kParent}}));
  const auto& own = span.traceparent();
  REQUIRE(own);
  CHECK(own->trace_id == "0af7651916cd43dd8448eb211c80319c");
  CHECK(own->span_id != "b7ad6b7169203331");
  CHECK_FALSE(own->sampled);
}

TEST_CASE("request span: who has no trace, a wrong one or two gets none", "[unit]") {
  const auto headers = GENERATE(values<http::Request::Pairs>({
      {},
      {{"traceparent", ""}},
      {{"traceparent", "00-x"}},
      {{"traceparent", kParent}, {"traceparent", kParent}},
  }));
  CHECK_FALSE(RequestSpan(nullptr, request(headers)).traceparent());
}

TEST_CASE("request span: where it is recorded it says so, with its answer's status", "[unit]") {
  clawperator::testing::TraceEvents events;
  Trace trace(&events, {"serve", 42, 1us});
  {
    RequestSpan span(&trace, request({{"traceparent", kParent}}));
    CHECK(span.traceparent()->sampled);
    span.answered(200);
  }
  CHECK(events.on_row("http") == std::vector<std::string>{"X POST /snapshot"});
  const auto args = events.find("POST /snapshot")["args"];
  CHECK(args["traceId"] == "0af7651916cd43dd8448eb211c80319c");
  CHECK(args["parentSpanId"] == "b7ad6b7169203331");
  CHECK(args["status"] == 200);
}
