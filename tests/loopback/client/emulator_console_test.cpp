#include "adbproto/client/emulator_console.hpp"

#include <catch2/catch.hpp>

#include "adbproto/link/socket_stream.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/scripted_stream.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;
using Verdict = ConsoleReply::Verdict;

namespace {

const std::string kGreeting =
    "Android Console: Authentication required\r\n"
    "Android Console: type 'auth <auth_token>' to authenticate\r\n"
    "Android Console: you can find your <auth_token> in \r\n"
    "'/home/me/.emulator_console_auth_token'\r\nOK\r\n";
const std::string kOpenGreeting = "Android Console: type 'help' for a list of commands\r\nOK\r\n";

Result<ConsoleReply> run(const Script& script, std::string token, std::string command,
                         Manners manners = {}) {
  Loop loop;
  ScriptedStream stream(loop.executor(), script, manners);
  return loop.run(run_console_command(&stream, std::move(token), std::move(command)));
}

}  // namespace

TEST_CASE("emulator console: the port is in the serial") {
  CHECK(console_port("emulator-5554") == 5554);
  for (const char* other : {"", "emulator-", "emulator-x", "emulator-0", "emulator-65536",
                            "emulator-5554x", "emulator--1", "127.0.0.1:5555", "Emulator-5554"}) {
    CAPTURE(other);
    CHECK_FALSE(console_port(other));
  }
}

TEST_CASE("emulator console: authentication, command, reply, at every split") {
  Script script;
  script.says(kGreeting).hears("auth secret\n");
  script.says(kOpenGreeting).hears("avd name\n");
  script.says("Pixel_6\r\nOK\r\n").hears("quit\n");
  for (std::size_t at = 0; at <= script.said(); ++at) {
    CAPTURE(at);
    const ConsoleReply wanted{Verdict::ok, "Pixel_6\r\nOK\r\n"};
    CHECK(run(script, "secret", "avd name", {.split_at = at}) == wanted);
  }
}

TEST_CASE("emulator console: no token is sent to a console that asks for none") {
  Script script;
  script.says(kOpenGreeting).hears("ping\n").says("I am alive!\r\nOK\r\n").hears("quit\n");
  CHECK(run(script, "secret", "ping") == ConsoleReply{Verdict::ok, "I am alive!\r\nOK\r\n"});
}

TEST_CASE("emulator console: a refusal is a reply") {
  Script refused_token;
  refused_token.says(kGreeting).hears("auth wrong\n");
  refused_token.says("KO: authentication token does not match\r\n");
  CHECK(run(refused_token, "wrong", "ping") ==
        ConsoleReply{Verdict::ko, "KO: authentication token does not match\r\n"});
  Script unknown;
  unknown.says(kOpenGreeting).hears("frob\n").says("KO: unknown command, try 'help'\r\n");
  CHECK(run(unknown, "", "frob") ==
        ConsoleReply{Verdict::ko, "KO: unknown command, try 'help'\r\n"});
}

TEST_CASE("emulator console: an emulator has printed all before it dies") {
  Script script;
  script.says(kOpenGreeting).hears("kill\n").says("dying");
  CHECK(run(script, "", "kill") == ConsoleReply{Verdict::ok, "dying"});
}

TEST_CASE("emulator console: only whole lines are a verdict") {
  ConsoleReader reader;
  reader.feed("OKAY\r\nNOT OK\r\nKOALA\r\n OK\r\nOK");
  CHECK_FALSE(*reader.next());
  reader.feed(": done\r\nmore");
  CHECK(**reader.next() ==
        ConsoleReply{Verdict::ok, "OKAY\r\nNOT OK\r\nKOALA\r\n OK\r\nOK: done\r\n"});
  CHECK(reader.rest() == "more");
}

TEST_CASE("emulator console: a reply without end is refused") {
  ConsoleReader reader;
  const std::string line(1000, 'x');
  for (int i = 0; i < 2000; ++i) reader.feed(line + "\n");
  const auto reply = reader.next();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().code() == errc::limit);
}

TEST_CASE("emulator console: one that ends before it greets, or says nothing, is an error") {
  CHECK(run(Script().says("Android Con"), "", "ping").error().code() == errc::closed);
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const auto late = loop.run(emulator_command((*listener)->port(), "", "ping", 50ms));
  REQUIRE_FALSE(late);
  CHECK(late.error().code() == errc::deadline_exceeded);
}
