#pragma once
// One session over a pair of memory streams, under hand-moved time, with a client that hears all.
//
//   SessionBench at;
//   at.say("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
//   CHECK(at.statuses() == std::vector{200});

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/http/session.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/manual_time.hpp"

namespace clawperator::http::testing {

using namespace adbproto::testing;
using namespace std::chrono_literals;

// METHOD PATH [BODY]
inline Response echo(const Request& request) {
  return {.content_type = "text/plain",
          .body = request.method + " " + request.path + " [" + request.body + "]"};
}

// Answers everything with its echo; /slow after a second, /error and /exception not at all.
inline Task<Response> answer_echo(Request request) {
  if (request.path == "/slow") co_await sleep_for(1s);
  if (request.path == "/error") co_return fail(errc::io, "secret");
  if (request.path == "/exception") throw std::runtime_error("secret");
  co_return echo(request);
}

inline std::vector<int> statuses_in(std::string_view text) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  std::vector<int> statuses;
  for (auto at = text.find(kStart); at != std::string_view::npos; at = text.find(kStart, at + 1)) {
    statuses.push_back(std::stoi(std::string(text.substr(at + kStart.size(), 3))));
  }
  return statuses;
}

inline Task<void> hear(ByteStream* stream, std::string* heard) {
  Bytes buffer(64 * 1024);
  for (;;) {
    CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
    *heard += as_text(ByteView(buffer).first(size));
  }
}

inline Task<void> as_task(asio::awaitable<void> work) {
  co_await std::move(work);
  co_return ok();
}

enum class Client { reads, does_not_read };

class SessionBench {
 public:
  explicit SessionBench(Handler handler = {.answer = answer_echo}, Limits limits = {},
                        Client client = Client::reads, std::size_t capacity = 1 << 20)
      : handler_(std::move(handler)), limits_(limits) {
    auto [ours, theirs] = make_memory_pair(loop.executor(), capacity);
    client_ = std::move(theirs);
    session_ = loop.start(
        as_task(serve_connection(std::move(ours), {.name = "a test"}, &handler_, &limits_, &stop)));
    if (client == Client::reads) listen();
    loop.settle();
  }

  void listen() { hearing_ = loop.start(hear(client_.get(), &heard)); }
  void say(std::string_view text) {
    saying_.push_back(std::make_unique<std::string>(text));
    loop.start(client_->write_all(as_bytes(*saying_.back())));
    loop.settle();
  }
  // All that is there, of a client that does not read by itself.
  void read_some() {
    Bytes buffer(64 * 1024);
    const auto size = loop.run(client_->read_some(buffer));
    REQUIRE(size);
    heard += as_text(ByteView(buffer).first(*size));
    loop.settle();
  }
  void pass(Clock::duration duration) { time.advance(loop, duration); }
  void leave() {
    client_->close();
    loop.settle();
  }

  [[nodiscard]] std::vector<int> statuses() const { return statuses_in(heard); }
  [[nodiscard]] bool has_heard(std::string_view text) const {
    return heard.find(text) != std::string::npos;
  }
  [[nodiscard]] bool is_over() const { return session_->done(); }
  // It says its last and waits for the client to have read it.
  bool closes() {
    pass(limits_.linger - 1ms);
    const bool waited = !is_over();
    pass(1ms);
    return waited && is_over();
  }

  ManualTime time;
  Loop loop;
  StopSignal stop{loop.executor()};
  std::string heard;

 private:
  Handler handler_;
  Limits limits_;
  std::vector<std::unique_ptr<std::string>> saying_;
  ByteStreamPtr client_;
  std::shared_ptr<Started<void>> session_;
  std::shared_ptr<Started<void>> hearing_;
};

inline std::string get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
}

}  // namespace clawperator::http::testing
