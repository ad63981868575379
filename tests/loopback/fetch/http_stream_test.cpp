#include "runtime/fetch/http_stream.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read_until.hpp>
#include <asio/write.hpp>
#include <catch2/catch.hpp>
#include <latch>
#include <thread>

using namespace clawperator;
using namespace adbproto;
using asio::ip::tcp;

namespace {

// Answers one request with these bytes and then says nothing more until it goes.
class SilentAfter {
 public:
  explicit SilentAfter(std::string answer)
      : thread_([this, answer = std::move(answer)] { serve(answer); }) {}
  ~SilentAfter() {
    may_end_.count_down();
    thread_.join();
  }
  SilentAfter(const SilentAfter&) = delete;
  SilentAfter& operator=(const SilentAfter&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/file";
  }
  void wait_answered() { answered_.wait(); }

 private:
  void serve(const std::string& answer) {
    asio::error_code error;
    tcp::socket client(context_);
    acceptor_.accept(client, error);
    std::string request;
    asio::read_until(client, asio::dynamic_buffer(request), "\r\n\r\n", error);
    asio::write(client, asio::buffer(answer), error);
    answered_.count_down();
    may_end_.wait();
  }

  asio::io_context context_;
  tcp::acceptor acceptor_{context_, {asio::ip::address_v4::loopback(), 0}};
  std::latch answered_{1};
  std::latch may_end_{1};
  std::thread thread_;
};

class Text final : public HttpSink {
 public:
  Result<void> begin(const HttpBody&) override { return ok(); }
  Result<void> take(std::string_view bytes) override {
    text += bytes;
    return ok();
  }
  std::string text;
};

constexpr const char* kHalfAnAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";

}  // namespace

TEST_CASE("fetch: a server that falls silent is given up after the stall limit") {
  const SilentAfter server(kHalfAnAnswer);
  HttpRequest request{.url = server.url(), .max_bytes = 1000};
  request.limits.stall = std::chrono::seconds(1);
  Text sink;
  const auto status = fetch(request, &sink, {});
  REQUIRE_FALSE(status);
  CHECK(status.error().code() == errc::deadline_exceeded);
  CHECK(sink.text == "half");
}

TEST_CASE("fetch: a request to stop does not wait for the server") {
  SilentAfter server(kHalfAnAnswer);
  std::stop_source source;
  Text sink;
  std::thread stopper([&] {
    server.wait_answered();
    source.request_stop();
  });
  const auto status = fetch({.url = server.url(), .max_bytes = 1000}, &sink, source.get_token());
  stopper.join();
  REQUIRE_FALSE(status);
  CHECK(status.error().code() == errc::cancelled);
}

TEST_CASE("fetch: an error of who takes the bytes is the result") {
  const SilentAfter server(kHalfAnAnswer);
  class Full final : public HttpSink {
    Result<void> begin(const HttpBody&) override { return ok(); }
    Result<void> take(std::string_view) override { return fail(errc::file_write_failed, "full"); }
  } sink;
  const auto status = fetch({.url = server.url(), .max_bytes = 1000}, &sink, {});
  REQUIRE_FALSE(status);
  CHECK(status.error() == Error(errc::file_write_failed, "full"));
}

TEST_CASE("fetch: answers that break the rules") {
  struct Row {
    std::string answer;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-3/4\r\nContent-Length: 4\r\n\r\nhalf",
       errc::protocol},
      {"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\nhalf", errc::limit},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + std::string(2000, 'x') +
           "\r\n0\r\n\r\n",
       errc::limit},
      {"\x01\x02\x03 nothing of HTTP\r\n\r\n", errc::io},
  }));
  CAPTURE(row.answer.substr(0, 60));
  const SilentAfter server(row.answer);
  Text sink;
  HttpRequest request{.url = server.url(), .max_bytes = 1000};
  request.limits.stall = std::chrono::seconds(1);
  const auto status = fetch(request, &sink, {});
  REQUIRE_FALSE(status);
  CHECK(status.error().code() == row.code);
}
