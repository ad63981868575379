// Packets of a direct link and requests to an adb server, in the trace of their loop.

#include "runtime/trace/trace.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/server_client.hpp"
#include "support/fake_adbd.hpp"
#include "support/fake_server.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"
#include "support/trace_events.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace clawperator::testing;
using namespace std::chrono_literals;

namespace {

struct TracedWire {
  TracedWire() { trace.watch(loop.executor()); }

  TraceEvents events;
  clawperator::Trace trace{&events, {"clawperator", 42, 1us}};
  Loop loop;
};

Task<std::string> ask(ByteStreamPtr link) {
  CO_TRY(auto device, co_await connect_device(std::move(link), "phone:5555", DirectOptions{}));
  CO_TRY(auto stream, co_await device->open("shell,v2,raw:am broadcast --es payload 'pin sesame'"));
  co_return co_await read_to_end(stream.get());
}

// Of a phone that says hello on every stream that is opened.
Result<std::string> talk(Loop& loop) {
  FakeAdbd phone(loop);
  phone.answers("", "hello, secret");
  return loop.run(ask(phone.attach(loop)));
}

}  // namespace

TEST_CASE("wire trace: every packet of a link is there, and nothing of what they carry",
          "[loopback]") {
  TracedWire of;
  const auto heard = talk(of.loop);
  REQUIRE(heard);
  CHECK(*heard == "hello, secret");
  of.loop.settle();
  const auto row = of.events.on_row("tcp phone:5555");
  REQUIRE(row.size() >= 6);
  CHECK(std::vector(row.begin(), row.begin() + 6) ==
        std::vector<std::string>{"i CNXN", "i CNXN", "i OPEN", "i OKAY", "i WRTE", "i OKAY"});
  CHECK(std::ranges::count(row, "i CLSE") >= 1);
  const auto open = of.events.find("OPEN")["args"];
  CHECK(open["direction"] == "sent");
  CHECK(open["service"] == "shell,v2,raw:am broadcast --es payload [REDACTED]");
  const auto write = of.events.find("WRTE")["args"];
  CHECK(write["direction"] == "received");
  CHECK(write["length"] == 13);
  for (const char* secret : {"secret", "sesame"}) {
    CHECK(of.events.text().find(secret) == std::string::npos);
  }
}

TEST_CASE("wire trace: a link without a watcher works as one with it", "[loopback]") {
  Loop loop;
  CHECK(talk(loop));
}

TEST_CASE("wire trace: requests to an adb server, with their answers", "[loopback]") {
  TracedWire of;
  FakeServer server(of.loop);
  server.answers("host:version", "OKAY00040029");
  server.answers("host:transport:a", "FAIL" + std::string("000dno such thing"));
  ServerClient client(server.address());
  REQUIRE(of.loop.run(client.version()));
  REQUIRE_FALSE(of.loop.run(client.open("host:transport:a", "exec:id")));
  CHECK(of.events.on_row("adb server") ==
        std::vector<std::string>{"X host:version", "X host:transport:a"});
  CHECK(of.events.find("host:version")["args"]["answer"] == "OKAY");
  CHECK_THAT(of.events.find("host:transport:a")["args"]["answer"].get<std::string>(),
             Catch::Contains("no such thing"));
}
