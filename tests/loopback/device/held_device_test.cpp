#include "runtime/device/held_device.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/server_client.hpp"
#include "support/fake_server.hpp"

using namespace adbproto::testing;
using adbproto::Errc;
using adbproto::ServerClient;
using clawperator::HeldDevice;

TEST_CASE("held device: lost when nobody listens at the server, not when one service fails",
          "[loopback]") {
  Loop loop;
  FakeServer server(loop);
  server.answers("host-transport-id:1:features", FakeServer::text("shell_v2"));
  auto opened = loop.run(ServerClient(server.address()).device(1, "A"));
  REQUIRE(opened);
  const auto device = HeldDevice::make(loop.executor(), *std::move(opened));
  server.answers("host:transport-id:1", FakeServer::refusal("device offline"));
  CHECK_FALSE(loop.run(device->open("shell,v2,raw:id")));
  CHECK_FALSE(device->is_lost());
  server.stop();
  loop.settle();
  CHECK(loop.run(device->open("shell,v2,raw:id")).error().code() == Errc::link_lost);
  CHECK(device->is_lost());
}

TEST_CASE("held device: what goes wrong on one connection is not the device's end", "[loopback]") {
  struct FailingDevice final : adbproto::Device {
    adbproto::Error error{Errc::io, ""};
    std::string name = "A";
    adbproto::FeatureSet none;
    adbproto::Task<adbproto::ByteStreamPtr> open(std::string) override {
      co_return std::unexpected(error);
    }
    [[nodiscard]] const std::string& serial() const override { return name; }
    [[nodiscard]] const adbproto::FeatureSet& features() const override { return none; }
    [[nodiscard]] std::string_view route() const override { return "server"; }
    [[nodiscard]] asio::awaitable<void> wait_lost() override { co_return; }
    [[nodiscard]] std::size_t max_service_size() const override { return 1024; }
  };
  struct Row {
    Errc code;
    const char* text;
    bool lost;
  };
  const auto row = GENERATE(values<Row>({
      {Errc::io, "cannot connect to 127.0.0.1:5037: Connection refused", true},
      {Errc::io, "cannot connect to /run/adb: No such file or directory", true},
      {Errc::io, "cannot read: Connection reset by peer", false},
      {Errc::io, "cannot connect to 127.0.0.1:5037: Resource temporarily unavailable", false},
      {Errc::limit, "cannot connect to 127.0.0.1:5037: Too many open files", false},
      {Errc::cancelled, "cancelled", false},
  }));
  INFO(row.text);
  Loop loop;
  auto failing = std::make_unique<FailingDevice>();
  failing->error = adbproto::Error(row.code, row.text);
  const auto device = HeldDevice::make(loop.executor(), std::move(failing));
  CHECK_FALSE(loop.run(device->open("x")));
  CHECK(device->is_lost() == row.lost);
}
