#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/client/server_client.hpp"
#include "support/fake_server.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

std::ptrdiff_t times_asked(const FakeServer& server, std::string_view service) {
  return std::ranges::count(server.requests(), service);
}

FakeServer& with_one_device(FakeServer& server) {
  return server.answers("host:features", FakeServer::text("shell_v2,cmd"))
      .answers("host:transport-any", "OKAY", After::listens)
      .answers("shell:a", "OKAYout of a")
      .answers("shell:b", "OKAYout of b");
}

}  // namespace

TEST_CASE("server device: features and the first service's connection are requested together") {
  Loop loop;
  FakeServer server(loop);
  with_one_device(server);
  const auto device = loop.run(ServerClient(server.address()).device(DeviceChoice{}));
  REQUIRE(device);
  CHECK((*device)->features().has("shell_v2"));
  CHECK(times_asked(server, "host:transport-any") == 1);

  const auto first = loop.run((*device)->open("shell:a"));
  REQUIRE(first);
  CHECK(times_asked(server, "host:transport-any") == 1);
  CHECK(loop.run(read_to_end(first->get())) == "out of a");

  const auto second = loop.run((*device)->open("shell:b"));
  REQUIRE(second);
  CHECK(times_asked(server, "host:transport-any") == 2);
  CHECK(loop.run(read_to_end(second->get())) == "out of b");
}

TEST_CASE("server device: a connection that has waited is replaced before it is used") {
  ManualTime time;
  Loop loop;
  FakeServer server(loop);
  with_one_device(server);
  const auto device = loop.run(ServerClient(server.address()).device(DeviceChoice{}));
  REQUIRE(device);
  time.advance(loop, std::chrono::seconds(2));
  const auto stream = loop.run((*device)->open("shell:a"));
  REQUIRE(stream);
  CHECK(times_asked(server, "host:transport-any") == 2);
  CHECK(loop.run(read_to_end(stream->get())) == "out of a");
}

TEST_CASE("server device: a service whose answer is lost is not asked for again") {
  Loop loop;
  FakeServer server(loop);
  with_one_device(server).answers("shell:a", "");
  const auto device = loop.run(ServerClient(server.address()).device(DeviceChoice{}));
  REQUIRE(device);
  const auto stream = loop.run((*device)->open("shell:a"));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::closed);
  CHECK(times_asked(server, "shell:a") == 1);
}

TEST_CASE("server device: the server's words about the device are the error") {
  Loop loop;
  FakeServer server(loop);
  server.answers("host:features", FakeServer::refusal("no devices/emulators found"))
      .answers("host:transport-any", FakeServer::refusal("no devices/emulators found"));
  const auto device = loop.run(ServerClient(server.address()).device(DeviceChoice{}));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::refused);
  CHECK(device.error().message() == "no devices/emulators found");
}

TEST_CASE("server device: a refused service is refused on either connection") {
  Loop loop;
  FakeServer server(loop);
  with_one_device(server).answers("shell:a", FakeServer::refusal("closed"));
  const auto device = loop.run(ServerClient(server.address()).device(DeviceChoice{}));
  REQUIRE(device);
  for (int i = 0; i < 2; ++i) {
    const auto stream = loop.run((*device)->open("shell:a"));
    REQUIRE_FALSE(stream);
    CHECK(stream.error().code() == errc::refused);
  }
  CHECK(times_asked(server, "shell:a") == 2);
}
