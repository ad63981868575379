#include "base/async/name_lookup.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "adbproto/link/socket_stream.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

// A name server that says nothing until it is let go. Waits for its lookups at the end.
class SilentServer {
 public:
  SilentServer() = default;
  ~SilentServer() {
    answer();
    while (state_.use_count() > 1) std::this_thread::yield();
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;

  LookUpName look_up() {
    return [state = state_](const std::string&) -> Result<Addresses> {
      ++state->asked;
      state->asked.notify_all();
      state->may_answer.wait(false);
      return Addresses{asio::ip::address_v4::loopback()};
    };
  }
  void await_question(int count = 1) {
    for (int now = state_->asked; now < count; now = state_->asked) state_->asked.wait(now);
  }
  void answer() {
    state_->may_answer = true;
    state_->may_answer.notify_all();
  }

 private:
  struct State {
    std::atomic<int> asked = 0;
    std::atomic<bool> may_answer = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

bool was_cancelled(const std::shared_ptr<Started<Addresses>>& started) {
  try {
    const auto result = started->result();
    return !result && result.error().code() == errc::cancelled;
  } catch (const std::system_error&) {
    return true;
  }
}

}  // namespace

TEST_CASE("name lookup: what the system knows is found without a name server", "[loopback]") {
  const auto found = run_task(look_up_name("localhost"));
  REQUIRE(found);
  CHECK(found->front().is_loopback());
}

TEST_CASE("name lookup: a name that cannot be is an error that names it", "[loopback]") {
  const auto found = run_task(look_up_name("no..such..name"));
  REQUIRE_FALSE(found);
  CHECK(found.error().code() == errc::io);
  CHECK_THAT(found.error().message(), Catch::StartsWith("cannot resolve no..such..name: "));
}

TEST_CASE("name lookup: no address at all is an error", "[loopback]") {
  const auto found = run_task(
      look_up_name("nowhere", [](const std::string&) -> Result<Addresses> { return Addresses{}; }));
  REQUIRE_FALSE(found);
  CHECK(found.error() == Error(errc::io, "cannot resolve nowhere: no address"));
}

TEST_CASE("name lookup: the loop goes on meanwhile, the answer is awaited", "[loopback]") {
  SilentServer server;
  Loop loop;
  const auto started = loop.start(look_up_name("phone", server.look_up()));
  loop.settle();
  server.await_question();
  CHECK(loop.run([]() -> Task<int> { co_return 7; }()).value() == 7);
  CHECK_FALSE(started->done());
  server.answer();
  CHECK(loop.finish(started) == Addresses{asio::ip::address_v4::loopback()});
}

TEST_CASE("name lookup: a deadline ends it while the name server is silent", "[loopback]") {
  SilentServer server;
  ManualTime time;
  Loop loop;
  const auto started =
      loop.start(with_deadline(look_up_name("phone", server.look_up()), 2000ms, "connecting"));
  loop.settle();
  server.await_question();
  time.advance(loop, 1999ms);
  CHECK_FALSE(started->done());
  time.advance(loop, 1ms);
  REQUIRE(started->done());
  CHECK(started->result().error() ==
        Error(errc::deadline_exceeded, "connecting took longer than 2000 ms"));
}

TEST_CASE("name lookup: cancelling ends it while the name server is silent", "[loopback]") {
  SilentServer server;
  Loop loop;
  const auto started = loop.start(look_up_name("phone", server.look_up()));
  loop.settle();
  server.await_question();
  started->cancel();
  loop.settle();
  REQUIRE(started->done());
  CHECK(was_cancelled(started));
}

TEST_CASE("name lookup: an answer that no caller waits for any more harms nothing", "[loopback]") {
  SilentServer server;
  Loop loop;
  const auto started = loop.start(look_up_name("phone", server.look_up()));
  const auto other = loop.start(look_up_name("other", server.look_up()));
  loop.settle();
  server.await_question(2);
  started->cancel();
  loop.settle();
  server.answer();
  CHECK(loop.finish(other));
}

TEST_CASE("name lookup: the loop may go while lookups hang, and before they begin", "[loopback]") {
  for (int round = 0; round < 50; ++round) {
    SilentServer server;
    Loop loop;
    const auto started = loop.start(look_up_name("phone", server.look_up()));
    loop.settle();
    if (round % 2 == 0) server.await_question();
  }
}

TEST_CASE("name lookup: the loop may go at the moment of the answer", "[loopback]") {
  for (int round = 0; round < 200; ++round) {
    SilentServer server;
    Loop loop;
    const auto started = loop.start(look_up_name("phone", server.look_up()));
    loop.settle();
    server.await_question();
    server.answer();
  }
}

TEST_CASE("name lookup: names that hang do not take the places of the others", "[loopback][F33]") {
  constexpr int kOfOneName = 4;
  constexpr int kNames = 8;
  ManualTime time;
  Loop loop;
  {
    SilentServer server;
    std::vector<std::shared_ptr<Started<Addresses>>> started;
    const auto begin = [&](const std::string& name) {
      started.push_back(loop.start(look_up_name(name, server.look_up())));
      loop.settle();
      started.back()->cancel();  // gone, and still under way
      loop.settle();
    };
    for (int i = 0; i < kOfOneName; ++i) begin("phone");
    const auto once_more = time.run(loop, look_up_name("phone", server.look_up()));
    REQUIRE_FALSE(once_more);
    CHECK(once_more.error() ==
          Error(errc::limit, "cannot resolve phone: 4 lookups of it hang already"));
    CHECK(loop.run(look_up_name("localhost")));
    // The number of hanging calls is limited, and the limit is reported at once.
    for (int name = 1; name < kNames; ++name) {
      for (int i = 0; i < kOfOneName; ++i) begin("phone-" + std::to_string(name));
    }
    const auto other = time.run(loop, look_up_name("other", server.look_up()));
    REQUIRE_FALSE(other);
    CHECK(other.error() == Error(errc::limit, "cannot resolve other: 32 calls hang already"));
  }
  // An answered lookup makes room.
  SilentServer server;
  server.answer();
  CHECK(loop.run(look_up_name("phone", server.look_up())));
}

TEST_CASE("name lookup: many ports of one host are looked up in turn", "[loopback][F33]") {
  Loop loop;
  SilentServer server;
  std::vector<std::shared_ptr<Started<Addresses>>> started;
  for (int i = 0; i < 9; ++i) {
    started.push_back(loop.start(look_up_name("farm", server.look_up())));
  }
  loop.settle();
  server.answer();
  for (const auto& each : started) {
    CHECK(loop.finish(each));
  }
}

TEST_CASE("name lookup: addresses are not looked up", "[loopback]") {
  // No server listens there: the error comes all the same, and at once.
  for (const char* host : {"127.0.0.1", "::1", "fe80::1%lo", "localhost"}) {
    CAPTURE(host);
    const auto refused = run_task(connect_tcp(host, 1));
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message(),
               Catch::StartsWith("cannot connect to " + std::string(host)));
  }
}

TEST_CASE("loopback: addresses that only this computer reaches, and its name", "[loopback]") {
  const auto host = GENERATE(as<std::string>{}, "localhost", "127.0.0.1", "127.255.0.9", "::1",
                             "[::1]", "0:0:0:0:0:0:0:1");
  CHECK(is_loopback(host));
}

TEST_CASE("loopback: nothing that may be another, or that only looks alike", "[loopback]") {
  const auto host =
      GENERATE(as<std::string>{}, "", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.evil.example",
               "localhost.evil.example", "127.1", "0x7f.0.0.1", "127.0.0.1 ", "[127.0.0.1", "[::1",
               "::ffff:10.0.0.1", "LOCALHOST.");
  CHECK_FALSE(is_loopback(host));
}
