#include "runtime/http/session.hpp"

#include "loopback/http/session_bench.hpp"

using namespace adbproto;
using namespace clawperator::http;
using namespace clawperator::http::testing;

namespace {

using Statuses = std::vector<int>;

std::string post(const std::string& path, std::size_t length, const std::string& more = "") {
  return "POST " + path + " HTTP/1.1\r\nHost: h\r\n" + more +
         "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

Task<Response> answer_after_a_minute(Request request, bool* has_ended) {
  co_await sleep_for(1min);
  *has_ended = true;
  co_return echo(request);
}

Task<Response> answer_with(const std::string* body) { co_return Response{.body = *body}; }

const std::string kWaits = "Expect: 100-continue\r\n";
const std::string kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

TEST_CASE("http session: requests of one connection are answered one after the other",
          "[loopback]") {
  SessionBench at;
  at.say(get("/a"));
  CHECK(at.heard ==
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: text/plain\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n\r\nGET /a []");
  at.heard.clear();
  at.say(post("/b", 3) + "xyz");
  CHECK(at.has_heard("\r\n\r\nPOST /b [xyz]"));
  CHECK_FALSE(at.is_over());
}

TEST_CASE("http session: pipelined requests are answered in order, however slow one is",
          "[loopback]") {
  SessionBench at;
  at.say(get("/slow") + post("/b", 1) + "x" + get("/c"));
  CHECK(at.heard.empty());
  at.pass(1s);
  CHECK(at.statuses() == Statuses{200, 200, 200});
  CHECK(at.heard.find("GET /slow []") < at.heard.find("POST /b [x]"));
  CHECK(at.heard.find("POST /b [x]") < at.heard.find("GET /c []"));
}

TEST_CASE("http session: an asked-for end comes after the answer", "[loopback]") {
  SessionBench at;
  at.say("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + get("/b"));
  CHECK(at.statuses() == Statuses{200});
  CHECK(at.has_heard("\r\nConnection: close\r\n"));
  CHECK(at.closes());
}

TEST_CASE("http session: HTTP/1.0 closes, unless it asks to stay", "[loopback]") {
  SessionBench at;
  at.say("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  CHECK(at.has_heard("\r\nConnection: keep-alive\r\n"));
  CHECK_FALSE(at.is_over());
  at.heard.clear();
  at.say("GET /b HTTP/1.0\r\n\r\n");
  CHECK(at.statuses() == Statuses{200});
  CHECK(at.has_heard("\r\nConnection: close\r\n"));
  CHECK(at.closes());
}

TEST_CASE("http session: HEAD gets the head of the answer, errors included", "[loopback]") {
  SessionBench at;
  at.say("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(at.has_heard("Content-Length: 10\r\n"));
  CHECK(at.heard.ends_with("\r\n\r\n"));
  at.say("HEAD /error HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(at.statuses() == Statuses{200, 500});
  CHECK(at.heard.ends_with("\r\n\r\n"));
  at.say(get("/b"));
  CHECK(at.heard.ends_with("GET /b []"));
}

TEST_CASE("http session: a status without a body keeps the connection in step", "[loopback]") {
  SessionBench at({.answer = [](Request) -> Task<Response> {
    co_return Response{.status = 204, .body = "never seen"};
  }});
  at.say(get("/a") + get("/b"));
  CHECK(at.statuses() == Statuses{204, 204});
  CHECK_FALSE(at.has_heard("never seen"));
}

TEST_CASE("http session: a client that expects 100 gets it before the body is read", "[loopback]") {
  SessionBench at;
  at.say(post("/a", 3, kWaits));
  CHECK(at.heard == kContinue);
  at.say("xyz");
  CHECK(at.heard.starts_with(kContinue + "HTTP/1.1 200 OK\r\n"));
  CHECK(at.heard.ends_with("POST /a [xyz]"));
  at.heard.clear();
  at.say(post("/b", 1, kWaits) + "x");  // did not wait
  CHECK(at.statuses() == Statuses{200});
  at.heard.clear();
  at.say("POST /c HTTP/1.1\r\nHost: h\r\n" + kWaits + "Transfer-Encoding: chunked\r\n\r\n");
  CHECK(at.heard == kContinue);
  at.say("1\r\nx\r\n0\r\n\r\n");
  CHECK(at.heard.ends_with("POST /c [x]"));
}

TEST_CASE("http session: other expectations are 417, and the connection ends", "[loopback]") {
  SessionBench at;
  at.say(post("/a", 3, "Expect: gold\r\n"));
  CHECK(at.statuses() == Statuses{417});
  CHECK(at.has_heard("\r\nConnection: close\r\n"));
  CHECK(at.closes());
}

TEST_CASE("http session: too long a body is 413 as soon as it shows", "[loopback]") {
  const std::string chunked =
      "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n19001\r\n";
  const auto said =
      GENERATE_COPY(values({post("/a", 102401), post("/a", 102401, kWaits), chunked}));
  SessionBench at;
  at.say(said);
  CHECK(at.statuses() == Statuses{413});
  CHECK(at.has_heard(R"("code":"PAYLOAD_TOO_LARGE","message":"Payload exceeds 100kb limit")"));
  CHECK(at.has_heard("\r\nConnection: close\r\n"));
  CHECK(at.closes());
}

TEST_CASE("http session: the limits say how long a body may be", "[loopback]") {
  SessionBench at({.answer = answer_echo}, {.body = 2048});
  at.say(post("/long", 2048) + std::string(2048, 'x'));
  CHECK(at.statuses() == Statuses{200});
  at.say(post("/long", 2049));
  CHECK(at.statuses() == Statuses{200, 413});
  CHECK(at.has_heard("Payload exceeds 2kb limit"));
}

TEST_CASE("http session: a refused client gets its answer before the body, and goes",
          "[loopback]") {
  SessionBench at(
      {.answer = answer_echo, .admit = [](const Request& head) -> std::optional<Response> {
         if (head.path == "/a") return std::nullopt;
         return error_response(403, "FORBIDDEN", head.body.empty() ? "no" : "read");
       }});
  at.say(get("/a"));
  at.say(post("/b", 50, kWaits));
  CHECK(at.statuses() == Statuses{200, 403});
  CHECK(at.has_heard(R"("message":"no")"));
  CHECK(at.closes());
}

TEST_CASE("http session: a malformed request is refused, and nothing after it is read",
          "[loopback]") {
  SessionBench at;
  at.say(get("/a") + "GET /b\r\n\r\n" + get("/c"));
  CHECK(at.statuses() == Statuses{200, 400});
  CHECK(at.has_heard(R"({"ok":false,"error":{"code":"BAD_REQUEST",)"));
  CHECK(at.closes());
}

TEST_CASE("http session: an error and an exception of a handler are 500 without details",
          "[loopback]") {
  SessionBench at;
  at.say(get("/error") + get("/exception") + get("/a"));
  CHECK(at.statuses() == Statuses{500, 500, 200});
  CHECK(at.has_heard(
      R"({"ok":false,"error":{"code":"INTERNAL_SERVER_ERROR","message":"An unexpected error occurred"}})"));
  CHECK_FALSE(at.has_heard("secret"));
}

TEST_CASE("http session: a question to the handler that throws is 500, too", "[loopback]") {
  SessionBench at({.answer = answer_echo, .admit = [](const Request&) -> std::optional<Response> {
                     throw std::runtime_error("secret");
                   }});
  at.say(get("/a"));
  CHECK(at.statuses() == Statuses{500});
  CHECK(at.closes());
}

TEST_CASE("http session: who says nothing at first is left after five seconds, without a word",
          "[loopback]") {
  SessionBench at;
  at.pass(5s - 1ms);
  CHECK_FALSE(at.is_over());
  at.pass(1ms);
  CHECK(at.is_over());
  CHECK(at.heard.empty());
}

TEST_CASE("http session: idle time begins anew after each answer", "[loopback]") {
  SessionBench at;
  at.pass(4s);
  at.say(get("/a"));
  at.pass(70s);
  at.say(get("/b"));
  CHECK(at.statuses() == Statuses{200, 200});
  at.pass(75s);
  CHECK(at.is_over());
  CHECK(at.statuses() == Statuses{200, 200});
}

TEST_CASE("http session: too slow a head is 408, however steadily it drips", "[loopback]") {
  SessionBench at;
  at.pass(4s);
  at.say("GET / HTTP/1.1\r\n");
  for (int second = 0; second < 9; ++second) {
    at.pass(1s);
    at.say("X: y\r\n");
  }
  CHECK(at.heard.empty());
  at.pass(1s);
  CHECK(at.statuses() == Statuses{408});
  CHECK(at.has_heard("REQUEST_TIMEOUT"));
  CHECK(at.closes());
}

TEST_CASE("http session: too slow a body is 408, however steadily it drips", "[loopback]") {
  SessionBench at;
  at.say(post("/a", 100));
  for (int second = 0; second < 29; ++second) {
    at.pass(1s);
    at.say("x");
  }
  CHECK(at.heard.empty());
  at.pass(1s);
  CHECK(at.statuses() == Statuses{408});
  CHECK(at.closes());
}

TEST_CASE("http session: a client that leaves in the middle of a request gets no answer",
          "[loopback]") {
  const auto said =
      GENERATE(values<std::string>({"", "GET", "POST / HTTP/1.1\r\nHost: h\r\nCont"}));
  SessionBench at;
  at.say(said);
  at.leave();
  CHECK(at.is_over());
  CHECK(at.heard.empty());
}

TEST_CASE("http session: an answer goes on to its end when the client leaves", "[loopback]") {
  bool has_ended = false;
  SessionBench at({.answer = [&has_ended](Request request) {
    return answer_after_a_minute(std::move(request), &has_ended);
  }});
  at.say(get("/a"));
  at.leave();
  CHECK_FALSE(at.is_over());
  at.pass(59s);
  CHECK_FALSE(has_ended);
  at.pass(1s);
  CHECK(has_ended);
  CHECK(at.is_over());
  CHECK(at.heard.empty());
}

TEST_CASE("http session: who asks is known at the head and with the whole request", "[loopback]") {
  std::vector<std::string> names;
  const auto note = [&names](const Request& request) { names.push_back(request.peer->name); };
  SessionBench at({.answer = [note](Request request) -> Task<Response> {
                     note(request);
                     co_return echo(request);
                   },
                   .admit = [note](const Request& head) -> std::optional<Response> {
                     note(head);
                     return std::nullopt;
                   }});
  at.say(get("/a") + get("/b"));
  CHECK(names == std::vector<std::string>(4, "a test"));
}

TEST_CASE("http session: a handler hears whether its client is still there", "[loopback]") {
  std::function<bool()> is_gone;
  SessionBench at({.answer = [&is_gone](Request request) -> Task<Response> {
    is_gone = request.peer->is_gone;
    co_await sleep_for(1s);
    co_return echo(request);
  }});
  at.say(get("/a"));
  REQUIRE(is_gone);
  CHECK_FALSE(is_gone());
  SECTION("one that left") { at.leave(); }
  SECTION("one that asked for more before it left is there until that is read") {
    at.say(get("/b"));
    at.leave();
    CHECK_FALSE(is_gone());
    return;
  }
  CHECK(is_gone());
}

TEST_CASE("http session: a client that does not read is left after the time to write",
          "[loopback]") {
  SessionBench at({.answer = answer_echo}, {}, Client::does_not_read, 20);
  // Over 64 KiB, so it needs more than one piece.
  const auto size = GENERATE(std::size_t{0}, std::size_t{100'000});
  at.say(post("/a", size) + std::string(size, 'x'));
  at.pass(10s - 1ms);
  CHECK_FALSE(at.is_over());
  at.pass(1ms);
  CHECK(at.is_over());
}

TEST_CASE("http session: a client that reads slowly but steadily gets everything", "[loopback]") {
  const std::string body(1'000'000, 'b');
  SessionBench at({.answer = [&body](const Request&) { return answer_with(&body); }}, {},
                  Client::does_not_read, 64 * 1024);
  at.say(get("/a"));
  while (!at.heard.ends_with("\r\n\r\n" + body)) {
    at.pass(9s);
    at.read_some();
  }
  CHECK(at.time.elapsed() > 100s);
  CHECK_FALSE(at.is_over());
}
