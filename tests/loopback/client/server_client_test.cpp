#include "adbproto/client/server_client.hpp"

#include <catch2/catch.hpp>

#include "support/fake_server.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/scripted_stream.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

struct Served {
  Loop loop;
  FakeServer server{loop};
  ServerClient client{server.address()};
};

// Every exchange of the client, as the outcome's code only.
struct Exchange {
  const char* name;
  const char* service;
  std::string reply;  // after which it succeeds
  std::function<std::optional<Errc>(Loop&, ServerClient&)> run;
};

template <class T>
std::optional<Errc> code_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error().code());
}

std::vector<Exchange> exchanges() {
  return {
      {"version", "host:version", "OKAY00040029",
       [](Loop& loop, ServerClient& client) { return code_of(loop.run(client.version())); }},
      {"devices", "host:devices", FakeServer::text("a\tdevice\n"),
       [](Loop& loop, ServerClient& client) {
         return code_of(loop.run(client.devices(ListFormat::brief)));
       }},
      {"features", "host-serial:a:features", FakeServer::text("shell_v2"),
       [](Loop& loop, ServerClient& client) { return code_of(loop.run(client.features("a"))); }},
      {"connect", "host:connect:h:1", FakeServer::text("connected to h:1"),
       [](Loop& loop, ServerClient& client) { return code_of(loop.run(client.connect("h:1"))); }},
      {"state", "host-serial:a:get-state", FakeServer::text("device"),
       [](Loop& loop, ServerClient& client) {
         return code_of(loop.run(client.query({.serial = "a"}, "get-state")));
       }},
      {"open", "host:transport:a", "OKAY",
       [](Loop& loop, ServerClient& client) {
         return code_of(loop.run(client.open("host:transport:a", "exec:id")));
       }},
  };
}

}  // namespace

TEST_CASE("server: the version is read as a hexadecimal number", "[loopback]") {
  Served at;
  at.server.answers("host:version", "OKAY00040029");
  CHECK(at.loop.run(at.client.version()) == 41);
  at.server.answers("host:version", "OKAY0004zzzz");
  CHECK(code_of(at.loop.run(at.client.version())) == errc::protocol);
}

TEST_CASE("server: devices in short and in long", "[loopback]") {
  Served at;
  at.server.answers("host:devices", FakeServer::text("emulator-5554\tdevice\n"
                                                     "adb-XY (2)._adb._tcp\toffline\n"));
  const auto brief = at.loop.run(at.client.devices(ListFormat::brief));
  REQUIRE(brief);
  CHECK(*brief == std::vector<DeviceLine>{{.serial = "emulator-5554", .state = "device"},
                                          {.serial = "adb-XY (2)._adb._tcp", .state = "offline"}});
  at.server.answers("host:devices-l",
                    FakeServer::text("emulator-5554          device product:sdk model:Pixel_7 "
                                     "device:emu64 transport_id:3\n"));
  const auto detailed = at.loop.run(at.client.devices(ListFormat::detailed));
  REQUIRE(detailed);
  CHECK(*detailed == std::vector<DeviceLine>{{.serial = "emulator-5554",
                                              .state = "device",
                                              .product = "sdk",
                                              .model = "Pixel_7",
                                              .device = "emu64",
                                              .transport_id = 3}});
  at.server.answers("host:devices", "OKAY0000");
  CHECK(at.loop.run(at.client.devices(ListFormat::brief))->empty());
}

TEST_CASE("server: features of the server and of a device", "[loopback]") {
  Served at;
  at.server.answers("host:host-features", FakeServer::text("shell_v2,libusb"));
  at.server.answers("host-serial:10.0.0.1:5555:features", FakeServer::text("cmd,abb_exec"));
  CHECK(at.loop.run(at.client.host_features()) == FeatureSet{"shell_v2", "libusb"});
  CHECK(at.loop.run(at.client.features("10.0.0.1:5555")) == FeatureSet{"cmd", "abb_exec"});
}

TEST_CASE("server: connect's sentence is success only with the two known beginnings",
          "[loopback]") {
  struct Row {
    const char* sentence;
    bool connected;
  };
  const auto row = GENERATE(values<Row>({
      {"connected to h:1", true},
      {"already connected to h:1", true},
      {"failed to connect to 'h:1': Connection refused", false},
      {"failed to authenticate to h:1", false},
      {"empty address", false},
      {"", false},
  }));
  INFO(row.sentence);
  Served at;
  at.server.answers("host:connect:h:1", FakeServer::text(row.sentence));
  const auto said = at.loop.run(at.client.connect("h:1"));
  if (row.connected) {
    CHECK(said == std::string(row.sentence));
  } else {
    CHECK(code_of(said) == errc::refused);
    CHECK_THAT(said.error().message(), Catch::Contains(row.sentence));
  }
}

TEST_CASE("server: disconnect gives the server's sentence or its refusal", "[loopback]") {
  Served at;
  at.server.answers("host:disconnect:h:1", FakeServer::text("disconnected h:1"));
  CHECK(at.loop.run(at.client.disconnect("h:1")) == "disconnected h:1"s);
  at.server.answers("host:disconnect:h:1", FakeServer::refusal("no such device 'h:1'"));
  CHECK(at.loop.run(at.client.disconnect("h:1")).error() ==
        Error(errc::refused, "no such device 'h:1'"));
}

TEST_CASE("server: a FAIL carries its text, and one of ours when it has none", "[loopback]") {
  const Exchange exchange = GENERATE(from_range(exchanges()));
  INFO(exchange.name);
  Served at;
  at.server.answers(exchange.service, FakeServer::refusal("device offline"));
  CHECK(exchange.run(at.loop, at.client) == errc::refused);
  at.server.answers("host:version", "FAIL0000");
  const auto empty = at.loop.run(at.client.version());
  REQUIRE_FALSE(empty);
  CHECK_THAT(empty.error().message(), Catch::Contains("no reason"));
}

TEST_CASE("server: whatever is neither OKAY nor FAIL is a protocol error", "[loopback]") {
  const Exchange exchange = GENERATE(from_range(exchanges()));
  const std::string garbage = GENERATE("HTTP/1.1 400 Bad Request\r\n", "okay", "\x16\x03\x01\x02");
  INFO(exchange.name << " " << garbage);
  Served at;
  at.server.answers(exchange.service, garbage, After::is_silent);
  CHECK(exchange.run(at.loop, at.client) == errc::protocol);
}

TEST_CASE("server: a reply cut at any byte is an error, never a result", "[loopback]") {
  const Exchange exchange = GENERATE(from_range(exchanges()));
  INFO(exchange.name);
  for (std::size_t size = 0; size < exchange.reply.size(); ++size) {
    INFO("cut at " << size);
    Served at;
    at.server.answers(exchange.service, exchange.reply);
    at.server.cut_replies_at(size);
    CHECK(exchange.run(at.loop, at.client) == errc::closed);
  }
}

TEST_CASE("server: a reply in single bytes is the same reply", "[loopback]") {
  const Exchange exchange = GENERATE(from_range(exchanges()));
  INFO(exchange.name);
  Served at;
  at.server.answers(exchange.service, exchange.reply, After::listens);
  at.server.answers("exec:id", "OKAY");
  at.server.write_in_pieces_of(1);
  CHECK(exchange.run(at.loop, at.client) == std::nullopt);
}

TEST_CASE("server: silence ends with the deadline", "[loopback]") {
  ManualTime time;
  Served at;
  at.server.answers("host:version", "", After::is_silent);
  at.server.answers("host:track-devices", "", After::is_silent);
  at.server.answers("host:transport:a", "OKAY", After::listens);
  at.server.answers("exec:id", "OKA", After::is_silent);
  CHECK(code_of(time.run(at.loop, at.client.version())) == errc::deadline_exceeded);
  CHECK(code_of(time.run(at.loop, at.client.track_devices(ListFormat::brief))) ==
        errc::deadline_exceeded);
  CHECK(code_of(time.run(at.loop, at.client.open("host:transport:a", "exec:id"))) ==
        errc::deadline_exceeded);
  CHECK(time.elapsed() >= 15s);
  CHECK(time.elapsed() < 16s);
}

TEST_CASE("server: connect waits longer than the server itself does", "[loopback]") {
  ManualTime time;
  Served at;
  at.server.answers("host:connect:h:1", "", After::is_silent);
  CHECK(code_of(time.run(at.loop, at.client.connect("h:1"))) == errc::deadline_exceeded);
  CHECK(time.elapsed() > 10s);
  CHECK(time.elapsed() < 15s);
}

TEST_CASE("server: an endless or oversized reply is bounded", "[loopback]") {
  Served at;
  at.server.answers("host:devices", "OKAY" + std::string(200'000, 'f'), After::is_silent);
  // One frame of 65535 bytes without a single device line; the rest is not read.
  CHECK(code_of(at.loop.run(at.client.devices(ListFormat::brief))) == errc::protocol);
}

TEST_CASE("server: requests are one frame each, never pipelined", "[loopback]") {
  Served at;
  at.server.answers("host:transport:a", "OKAY", After::listens);
  at.server.answers("exec:id", "OKAYuid=2000\n");
  auto stream = at.loop.run(at.client.open("host:transport:a", "exec:id"));
  REQUIRE(stream);
  CHECK(at.loop.run(read_to_end(stream->get())) == "uid=2000\n");
  CHECK(at.server.requests() == std::vector<std::string>{"host:transport:a", "exec:id"});
}

TEST_CASE("server: a tracker's blocks may be cut anywhere", "[loopback]") {
  const std::string blocks = "0000" + std::string(as_text(encode_block("a\toffline\n"))) +
                             std::string(as_text(encode_block("a\tdevice\nb\thost\n")));
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    INFO("split at " << at);
    Loop loop;
    DeviceTracker tracker(std::make_unique<ScriptedStream>(loop.executor(), Script().says(blocks),
                                                           Manners{.split_at = at}),
                          ListFormat::brief);
    CHECK(loop.run(tracker.next())->empty());
    CHECK(loop.run(tracker.next()) == std::vector<DeviceLine>{{.serial = "a", .state = "offline"}});
    CHECK(loop.run(tracker.next()) == std::vector<DeviceLine>{{.serial = "a", .state = "device"},
                                                              {.serial = "b", .state = "host"}});
    CHECK(code_of(loop.run(tracker.next())) == errc::closed);
  }
}

TEST_CASE("server: a tracker is a request like any other, whose reply goes on", "[loopback]") {
  Served at;
  at.server.answers("host:track-devices-l",
                    "OKAY" + std::string(as_text(encode_block("a  device transport_id:1\n"))),
                    After::is_silent);
  auto tracker = at.loop.run(at.client.track_devices(ListFormat::detailed));
  REQUIRE(tracker);
  CHECK(at.loop.run((*tracker)->next()) ==
        std::vector<DeviceLine>{{.serial = "a", .state = "device", .transport_id = 1}});
  auto next = at.loop.start((*tracker)->next());
  at.loop.settle();
  CHECK_FALSE(next->done());
  next->cancel();
  at.loop.settle();
}

TEST_CASE("server: wait-for takes the second status", "[loopback]") {
  Served at;
  at.server.answers("host:wait-for-usb-device", "OKAYFAIL0013more than one device");
  const auto waited = at.loop.run(at.client.query({}, "wait-for-usb-device"));
  REQUIRE_FALSE(waited);
  CHECK(waited.error() == Error(errc::refused, "more than one devic"));
}

TEST_CASE("server: a device by serial and by id", "[loopback]") {
  Served at;
  at.server.answers("host-serial:a:features", FakeServer::text("shell_v2"));
  at.server.answers("host-transport-id:7:features", FakeServer::text("cmd"));
  for (const char* transport : {"host:transport:a", "host:transport-id:7"}) {
    at.server.answers(transport, "OKAY", After::listens);
  }
  at.server.answers("exec:id", "OKAYok");

  auto by_serial = at.loop.run(at.client.device("a"));
  auto by_id = at.loop.run(at.client.device(7, "b"));
  REQUIRE(by_serial);
  REQUIRE(by_id);
  CHECK((*by_serial)->serial() == "a");
  CHECK((*by_serial)->route() == "server");
  CHECK((*by_serial)->max_service_size() == 65535);
  CHECK((*by_serial)->features() == FeatureSet{"shell_v2"});
  CHECK((*by_id)->serial() == "b");
  CHECK((*by_id)->features() == FeatureSet{"cmd"});
  for (auto* device : {by_serial->get(), by_id->get()}) {
    auto stream = at.loop.run(device->open("exec:id"));
    REQUIRE(stream);
    CHECK(at.loop.run(read_to_end(stream->get())) == "ok");
  }
}

TEST_CASE("server: names that crash a peer are never sent", "[loopback]") {
  const std::string service = GENERATE("spin", "dev:/dev/null", "reverse:surprise");
  INFO(service);
  Served at;
  at.server.answers("host-serial:a:features", FakeServer::text(""));
  auto device = at.loop.run(at.client.device("a"));
  REQUIRE(device);
  CHECK(code_of(at.loop.run((*device)->open(service))) == errc::unsupported);
  CHECK(at.server.requests().size() == 1);
}

TEST_CASE("server: a service longer than a frame is a limit of ours", "[loopback]") {
  Served at;
  at.server.answers("host:transport:a", "OKAY", After::listens);
  const auto stream =
      at.loop.run(at.client.open("host:transport:a", "exec:" + std::string(70'000, 'x')));
  CHECK(code_of(stream) == errc::limit);
}

TEST_CASE("server: a unix socket serves as well", "[loopback]") {
  const TempFolder folder;
  Loop loop;
  FakeServer server(loop, folder.file("adb"));
  server.answers("host:version", "OKAY00040029");
  const auto address = parse_server_address("localfilesystem:" + folder.file("adb"));
  REQUIRE(address);
  CHECK(loop.run(ServerClient(*address).version()) == 41);
}

TEST_CASE("server: no server there is an io error", "[loopback]") {
  Served at;
  at.server.stop();
  const auto version = at.loop.run(at.client.version());
  CHECK(code_of(version) == errc::io);
  CHECK_THAT(version.error().message(), Catch::Contains(std::to_string(at.server.address().port)));
}

TEST_CASE("server client: a server of 1.0.31 has no features and no details", "[loopback][C7]") {
  Served at;
  at.server.answers("host:devices", FakeServer::text("phone\tdevice\n"))
      .answers("host:transport:phone", "OKAY", After::listens)
      .answers("host:track-devices", "OKAY" + std::string(as_text(encode_block("phone\tdevice\n"))),
               After::is_silent);
  const auto lines = at.loop.run(at.client.devices(ListFormat::detailed));
  REQUIRE(lines);
  CHECK(lines->at(0).serial == "phone");
  const auto tracker = at.loop.run(at.client.track_devices(ListFormat::detailed));
  REQUIRE(tracker);
  const auto tracked = at.loop.run((*tracker)->next());
  REQUIRE(tracked);
  CHECK(tracked->at(0).state == "device");
  CHECK(at.loop.run(at.client.host_features())->names().empty());
  const auto device = at.loop.run(at.client.device("phone"));
  REQUIRE(device);
  CHECK_FALSE((*device)->features().has("shell_v2"));
  CHECK(code_of(at.loop.run(at.client.device(7, "phone"))) == errc::refused);
  CHECK(code_of(at.loop.run(at.client.device(DeviceChoice{.transport_id = 7}))) == errc::refused);
}
