#include "runtime/http/response.hpp"

#include "loopback/http/session_bench.hpp"

using namespace adbproto;
using namespace clawperator::http;
using namespace clawperator::http::testing;

namespace {

// What happened to a stream's task.
struct Story {
  bool has_begun = false;
  bool is_gone = false;  // its frame
  std::optional<Errc> failure{};
};

class Lifetime {
 public:
  explicit Lifetime(Story* story) : story_(story) { story_->has_begun = true; }
  ~Lifetime() { story_->is_gone = true; }
  Lifetime(const Lifetime&) = delete;
  Lifetime& operator=(const Lifetime&) = delete;

 private:
  Story* story_;
};

// An event a minute, until it cannot be written; `stubborn` goes on even then.
Task<void> tick(BodyWriter* writer, Story* story, bool stubborn) {
  const Lifetime lifetime(story);
  for (std::uint64_t id = 1;; ++id) {
    const auto written = co_await writer->write(event_frame(id, "tick", "{}"));
    if (!written) story->failure = written.error().code();
    if (!written && !stubborn) co_return written;
    co_await sleep_for(1min);
  }
}

using Stream = std::function<Task<void>(BodyWriter*)>;

Task<Response> answer_with(Stream stream) {
  Response response{.content_type = std::string(kEventStream),
                    .headers = {{"Cache-Control", "no-cache"}}};
  response.stream = std::move(stream);
  co_return response;
}

Handler streaming(Stream stream) {
  return {.answer = [stream = std::move(stream)](const Request&) { return answer_with(stream); }};
}

Handler ticking(Story* story, bool stubborn = false) {
  return streaming([=](BodyWriter* writer) { return tick(writer, story, stubborn); });
}

Task<void> say_hello(BodyWriter* writer) { co_return co_await writer->write("hello"); }

Task<void> throw_after_hello(BodyWriter* writer) {
  CO_TRY_VOID(co_await writer->write("hello"));
  throw std::runtime_error("secret");
}

}  // namespace

TEST_CASE("http stream: the head goes out at once, events as they come", "[loopback]") {
  Story story;
  SessionBench at(ticking(&story));
  at.say(get("/events"));
  CHECK(at.heard ==
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\nCache-Control: "
        "no-cache\r\n\r\nid: 1\nevent: tick\ndata: {}\n\n");
  at.heard.clear();
  at.pass(1min);
  CHECK(at.heard == "id: 2\nevent: tick\ndata: {}\n\n");
  for (int hour = 0; hour < 24; ++hour) at.pass(1h);
  CHECK_FALSE(at.is_over());
}

TEST_CASE("http stream: a client that leaves ends it at once", "[loopback]") {
  Story story;
  SessionBench at(ticking(&story));
  at.say(get("/events"));
  CHECK_FALSE(story.is_gone);
  at.leave();
  CHECK(story.is_gone);
  CHECK_FALSE(story.failure);  // it was asleep
  at.pass(2s);
  CHECK(at.is_over());
}

TEST_CASE("http stream: what a client says meanwhile is dropped", "[loopback]") {
  Story story;
  SessionBench at(ticking(&story));
  at.say(get("/events") + get("/x"));
  at.say(get("/y") + std::string(500'000, 'x'));
  CHECK(at.statuses() == std::vector{200});
  CHECK_FALSE(story.is_gone);
}

TEST_CASE("http stream: a client that does not read ends it after the time to write",
          "[loopback]") {
  const bool stubborn = GENERATE(false, true);
  Story story;
  SessionBench at(ticking(&story, stubborn), {}, Client::does_not_read, 300);
  at.say(get("/events"));
  CHECK(story.has_begun);
  for (int minute = 0; minute < 3; ++minute) at.pass(1min);
  CHECK_FALSE(story.is_gone);
  for (int minute = 0; minute < 10; ++minute) at.pass(1min);
  CHECK(story.failure == errc::deadline_exceeded);
  CHECK(story.is_gone);
  CHECK(at.is_over());
}

TEST_CASE("http stream: its end is the connection's", "[loopback]") {
  SessionBench at(streaming(say_hello));
  at.say(get("/a") + get("/b"));
  CHECK(at.statuses() == std::vector{200});
  CHECK(at.heard.ends_with("\r\n\r\nhello"));
  CHECK(at.closes());
}

TEST_CASE("http stream: an exception ends it, without details", "[loopback]") {
  SessionBench at(streaming(throw_after_hello));
  at.say(get("/a"));
  CHECK(at.heard.ends_with("\r\n\r\nhello"));
  CHECK(at.closes());
}

TEST_CASE("http stream: HEAD does not begin it", "[loopback]") {
  Story story;
  SessionBench at(ticking(&story));
  at.say("HEAD /events HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(at.heard.ends_with("\r\n\r\n"));
  CHECK_FALSE(story.has_begun);
  CHECK(at.closes());
}

TEST_CASE("http stop: a waiting connection ends at once, without a word", "[loopback]") {
  const auto said = GENERATE(values<std::string>({"", "GET / HTTP/1.1\r\n"}));
  SessionBench at;
  at.say(said);
  CHECK_FALSE(at.is_over());
  at.stop.request();
  at.loop.settle();
  CHECK(at.is_over());
  CHECK(at.heard.empty());
}

TEST_CASE("http stop: a request in flight gets its answer, and the connection ends", "[loopback]") {
  SessionBench at;
  at.say(get("/slow") + get("/b"));
  at.stop.request();
  at.loop.settle();
  CHECK_FALSE(at.is_over());
  at.pass(1s);
  CHECK(at.statuses() == std::vector{200});
  CHECK(at.has_heard("\r\nConnection: close\r\n"));
  CHECK(at.closes());
}

TEST_CASE("http stop: a stream ends at once", "[loopback]") {
  Story story;
  SessionBench at(ticking(&story));
  at.say(get("/events"));
  at.stop.request();
  at.loop.settle();
  CHECK(story.is_gone);
  CHECK(at.closes());
}
