#include "runtime/http/response.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::http;

TEST_CASE("event stream: an event is its id, its name and its data") {
  CHECK(event_frame(7, "clawperator:result", R"({"a":1})") ==
        "id: 7\nevent: clawperator:result\ndata: {\"a\":1}\n\n");
  CHECK(event_frame(std::nullopt, "heartbeat", "{}") == "event: heartbeat\ndata: {}\n\n");
  CHECK(event_frame(0, "x", "") == "id: 0\nevent: x\ndata: \n\n");
}

TEST_CASE("event stream: each line of the data is a data line, however it ends") {
  CHECK(event_frame(std::nullopt, "x", "a\nb\r\nc\rd\n\ne\n") ==
        "event: x\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: e\ndata: \n\n");
}

TEST_CASE("event stream: a name cannot begin a line of its own") {
  CHECK(event_frame(std::nullopt, "x\ndata: y", "z") == "event: x\ndata: z\n\n");
}

TEST_CASE("event stream: comments keep a connection alive") {
  CHECK(comment_frame("keep-alive") == ": keep-alive\n\n");
  CHECK(comment_frame("") == ": \n\n");
  CHECK(comment_frame("a\nb") == ": a\n: b\n\n");
}

TEST_CASE("event stream: the last event's id is a number or none") {
  const auto id_of = [](const std::string& value) {
    Request request;
    request.headers = {{"last-event-id", value}};
    return last_event_id(request);
  };
  CHECK(id_of("0") == 0U);
  CHECK(id_of("18446744073709551615") == 18446744073709551615U);
  for (const auto* bad : {"", "-1", "+1", "1 ", "x", "1.5", "18446744073709551616"}) {
    INFO(bad);
    CHECK(id_of(bad) == std::nullopt);
  }
  CHECK(last_event_id(Request()) == std::nullopt);
}
