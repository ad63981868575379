#include "runtime/http/request_reader.hpp"

#include "unit/http/reading.hpp"

using namespace clawperator::http;
using namespace clawperator::http::testing;

namespace {

std::string chunked(const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
}

std::string posted(std::size_t size) {
  return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n";
}

const std::string kTooLarge =
    R"({"ok":false,"error":{"code":"PAYLOAD_TOO_LARGE","message":"Payload exceeds 100kb limit"}})";

}  // namespace

TEST_CASE("requests: line and headers are read; names come in lower case, in order") {
  const Request request =
      read_request("GET /a?b=c HTTP/1.1\r\nHost: h:1\r\nX-Two:  b \r\nx-two: a\r\nEmpty:\r\n\r\n");
  CHECK(request.method == "GET");
  CHECK(request.target == "/a?b=c");
  CHECK(request.path == "/a");
  CHECK(request.headers ==
        Request::Pairs{{"host", "h:1"}, {"x-two", "b"}, {"x-two", "a"}, {"empty", ""}});
  REQUIRE(request.header("x-two"));
  CHECK(*request.header("x-two") == "b");
  CHECK(request.header("x-three") == nullptr);
  REQUIRE(request.parameter("b"));
  CHECK(*request.parameter("b") == "c");
  CHECK(request.body.empty());
}

TEST_CASE("requests: bodies come by length and by chunks, with any bytes in them") {
  using namespace std::string_literals;
  CHECK(read_request(posted(5) + "a\0\r\nb"s).body == "a\0\r\nb"s);
  CHECK(read_request(posted(0)).body.empty());
  CHECK(read_request(chunked("3\r\nabc\r\nA;x=\"y;\"\r\n0123456789\r\n0\r\n\r\n")).body ==
        "abc0123456789");
  CHECK(read_request(chunked("0\r\n\r\n")).body.empty());
}

TEST_CASE("requests: trailers are dropped") {
  const Request request = read_request(chunked("1\r\na\r\n0\r\nX-Trailer: t\r\nHost: x\r\n\r\n"));
  CHECK(request.body == "a");
  CHECK(request.headers.size() == 2);
}

TEST_CASE("requests: several in a row, with an empty line between") {
  const auto reading =
      read_requests(posted(2) + "ab\r\n" + chunked("1\r\nc\r\n0\r\n\r\n") +
                    "GET /last HTTP/1.1\r\nHost: h\r\n\r\n" + "GET /unfinished HTTP/1.1\r\nHost");
  REQUIRE(reading.requests.size() == 3);
  CHECK(reading.requests[0].body == "ab");
  CHECK(reading.requests[1].body == "c");
  CHECK(reading.requests[2].path == "/last");
  CHECK(reading.requests[2].body.empty());
  CHECK(reading.refused == 0);
  CHECK(reading.mid_request);
}

TEST_CASE("requests: what is said of keeping the connection is heard, per version") {
  struct Case {
    const char* head;
    bool keeps;
  };
  const auto each =
      GENERATE(values<Case>({{"GET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
                             {"GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n", false},
                             {"GET / HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n", false},
                             {"GET / HTTP/1.0\r\n\r\n", false},
                             {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true}}));
  INFO(each.head);
  RequestReader reader{Limits()};
  reader.feed(base::as_bytes(each.head));
  REQUIRE(reader.next() == Progress::head);
  CHECK(reader.keep_alive() == each.keeps);
}

TEST_CASE("requests: 100-continue is expected in HTTP/1.1 only, and nothing else may be") {
  const auto expects = [](const std::string& version, const std::string& value) {
    RequestReader reader{Limits()};
    const std::string head = "POST / HTTP/" + version + "\r\nHost: h\r\nExpect: " + value +
                             "\r\nContent-Length: 1\r\n\r\n";
    reader.feed(base::as_bytes(head));
    const auto progress = reader.next();
    return progress ? static_cast<int>(reader.expects_continue()) : progress.error().status;
  };
  CHECK(expects("1.1", "100-Continue") == 1);
  CHECK(expects("1.0", "100-continue") == 0);
  CHECK(expects("1.1", "200-ok") == 417);
  CHECK(expects("1.1", "100-continue, other") == 417);
  CHECK(expects("1.1", "") == 417);
}

TEST_CASE("requests: what is malformed or smuggles is refused") {
  struct Case {
    const char* name;
    int status;
    std::string bytes;
  };
  using namespace std::string_literals;
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\n";
  const auto each = GENERATE_COPY(values<Case>({
      {"no method", 400, " / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a method that is no token", 400, "G(T / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"no target", 400, "GET  HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"no version", 400, "GET /\r\nHost: h\r\n\r\n"},
      {"an unknown version", 400, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"},
      {"words after the version", 400, "GET / HTTP/1.1 x\r\nHost: h\r\n\r\n"},
      {"a TLS client", 400, "\x16\x03\x01\x02"s},
      {"NUL in the target", 400, "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"s},
      {"an escaped NUL in the target", 400, "GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a bad escape", 400, "GET /%4 HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a bad escape in the query", 400, "GET /?a=%zz HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"NUL in a value", 400, start + "X: a\0b\r\n\r\n"s},
      {"a bare line feed", 400, "GET / HTTP/1.1\nHost: h\n\n"},
      {"a bare line feed between headers", 400, start + "X: a\nY: b\r\n\r\n"},
      {"a bare carriage return", 400, start + "X: a\rY: b\r\n\r\n"},
      {"a blank before the colon", 400, start + "X : a\r\n\r\n"},
      {"a header without a name", 400, start + ": a\r\n\r\n"},
      {"a header without a colon", 400, start + "X\r\n\r\n"},
      {"a folded line", 400, start + "X: a\r\n b\r\n\r\n"},
      {"a folded line with a tab", 400, start + "X: a\r\n\tb\r\n\r\n"},
      {"a folded line, first", 400, "GET / HTTP/1.1\r\n Host: h\r\n\r\n"},
      {"no Host", 400, "GET / HTTP/1.1\r\nX: y\r\n\r\n"},
      {"two Hosts", 400, start + "Host: h\r\n\r\n"},
      {"two Hosts in HTTP/1.0", 400, "GET / HTTP/1.0\r\nHost: h\r\nhost: h\r\n\r\n"},
      {"two equal lengths", 400, start + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"},
      {"a list of lengths", 400, start + "Content-Length: 1, 1\r\n\r\na"},
      {"a signed length", 400, start + "Content-Length: +1\r\n\r\na"},
      {"a negative length", 400, start + "Content-Length: -1\r\n\r\na"},
      {"an empty length", 400, start + "Content-Length:\r\n\r\n"},
      {"a length in words", 400, start + "Content-Length: 0x1\r\n\r\na"},
      {"a length that overflows", 400, start + "Content-Length: 18446744073709551616\r\n\r\n"},
      {"length, then encoding", 400,
       start + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"encoding, then length", 400,
       start + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n"},
      {"length with an unknown encoding", 400,
       start + "Transfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\na"},
      {"encoding in HTTP/1.0", 400,
       "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"an unknown encoding", 501, start + "Transfer-Encoding: gzip\r\n\r\n"},
      {"identity", 501, start + "Transfer-Encoding: identity\r\n\r\n"},
      {"an encoding under chunks", 501, start + "Transfer-Encoding: gzip, chunked\r\n\r\n"},
      {"chunks under an encoding", 501, start + "Transfer-Encoding: chunked, gzip\r\n\r\n"},
      {"chunks twice", 501,
       start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunks after identity", 501,
       start + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunks twice in HTTP/1.0", 400,
       "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {"chunks with a parameter", 501, start + "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n"},
      {"another server's target", 400, "GET http://other/ HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a tunnel", 400, "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a star but no OPTIONS", 400, "GET * HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a chunk without a size", 400, chunked("\r\nabc\r\n0\r\n\r\n")},
      {"a chunk size that is none", 400, chunked("xyz\r\nabc\r\n0\r\n\r\n")},
      {"a chunk size with a prefix", 400, chunked("0x3\r\nabc\r\n0\r\n\r\n")},
      {"a signed chunk size", 400, chunked("+3\r\nabc\r\n0\r\n\r\n")},
      {"a chunk size that overflows", 400, chunked("10000000000000000\r\nabc\r\n0\r\n\r\n")},
      {"a chunk longer than its size", 400, chunked("2\r\nabc\r\n0\r\n\r\n")},
      {"a chunk line with a bare carriage return", 400, chunked("3\rabc\r\n0\r\n\r\n")},
      {"a malformed extension", 400, chunked("3;=\r\nabc\r\n0\r\n\r\n")},
      {"a malformed trailer", 400, chunked("0\r\nx y: z\r\n\r\n")},
  }));
  INFO(each.name);
  const auto reading = read_requests(each.bytes);
  CHECK(reading.refused == each.status);
  CHECK(reading.requests.empty());
}

TEST_CASE("requests: a head of 16 KiB passes, one of a byte more is 431 before it has ended") {
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
  const std::string fill(16 * 1024 - start.size() - 4, 'x');
  CHECK(read_requests(start + fill + "\r\n\r\n").requests.size() == 1);
  CHECK(read_requests(start + fill + "x\r\n\r\n").refused == 431);
  CHECK(read_requests(start + std::string(20'000, 'x')).refused == 431);
  CHECK(read_requests(std::string(16 * 1024, 'G')).refused == 0);
  CHECK(read_requests(std::string(16 * 1024 + 1, 'G')).refused == 431);
}

TEST_CASE("requests: a body over the limit is refused as soon as it is announced") {
  CHECK(read_requests(posted(102400) + std::string(102400, 'b')).requests.size() == 1);
  const auto announced = read_requests(posted(102401));
  CHECK(announced.refused == 413);
  CHECK(announced.refusal == kTooLarge);
  CHECK(read_requests(posted(std::numeric_limits<std::size_t>::max())).refused == 413);
  // 65536 + 36864 are the limit.
  const std::string first = "10000\r\n" + std::string(65536, 'b') + "\r\n";
  const std::string rest = "9000\r\n" + std::string(36864, 'b') + "\r\n0\r\n\r\n";
  CHECK(read_requests(chunked(first + rest)).requests.size() == 1);
  CHECK(read_requests(chunked(first + "9001\r\n")).refusal == kTooLarge);
  CHECK(read_requests(chunked("ffffffffffffffff\r\n")).refused == 413);
}

TEST_CASE("requests: what is no body is bounded, too: chunk lines and trailers") {
  const Limits limits{.unconsumed = 100};
  const std::string fits(100 - 5, 'x');  // 1; CR LF
  CHECK(read_requests(chunked("1;" + fits.substr(1) + "\r\na\r\n0\r\n\r\n"), limits)
            .requests.size() == 1);
  CHECK(read_requests(chunked("1;" + fits + "xxx\r\na\r\n0\r\n\r\n"), limits).refused == 400);
  CHECK(read_requests(chunked("1;" + std::string(200, 'x')), limits).refused == 400);
  CHECK(read_requests(chunked("0\r\nT: " + std::string(80, 't') + "\r\n\r\n"), limits)
            .requests.size() == 1);
  CHECK(read_requests(chunked("0\r\nT: " + std::string(100, 't') + "\r\n\r\n"), limits).refused ==
        400);
  CHECK(read_requests(chunked(std::string(200, '0')), limits).refused == 400);
}

TEST_CASE("requests: a reader has nothing of a request until its first byte") {
  RequestReader reader{Limits()};
  CHECK(reader.is_idle());
  reader.feed(base::as_bytes("G"));
  CHECK_FALSE(reader.is_idle());
}
