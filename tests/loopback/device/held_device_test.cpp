#include "runtime/device/supervisor/held_device.hpp"

#include <catch2/catch.hpp>
#include <cerrno>

#include "adbproto/client/server_client.hpp"
#include "adbproto/wire/errc.hpp"
#include "support/fake_server.hpp"

using namespace adbproto::testing;
using namespace adbproto;
using clawperator::HeldDevice;

TEST_CASE("held device: lost when no server listens, not when one service fails", "[loopback]") {
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
  CHECK(loop.run(device->open("shell,v2,raw:id")).error().code() == errc::link_lost);
  CHECK(device->is_lost());
}

TEST_CASE("held device: what goes wrong on one connection is not the device's end", "[loopback]") {
  struct FailingDevice final : adbproto::Device {
    Error error{errc::io, ""};
    std::string name = "A";
    adbproto::FeatureSet none;
    Task<adbproto::ByteStreamPtr> open(std::string) override { co_return std::unexpected(error); }
    [[nodiscard]] const std::string& serial() const override { return name; }
    [[nodiscard]] const adbproto::FeatureSet& features() const override { return none; }
    [[nodiscard]] std::string_view route() const override { return "server"; }
    [[nodiscard]] asio::awaitable<void> wait_lost() override { co_return; }
    [[nodiscard]] std::size_t max_service_size() const override { return 1024; }
  };
  struct Row {
    Errc code;
    int system_error;
    bool lost;
  };
  const auto row = GENERATE(values<Row>({
      {errc::io, ECONNREFUSED, true},
      {errc::io, ENOENT, true},
      {errc::io, 0, false},
      {errc::io, EAGAIN, false},
      {errc::limit, 0, false},
      {errc::cancelled, 0, false},
  }));
  INFO(row.system_error);
  Loop loop;
  auto failing = std::make_unique<FailingDevice>();
  failing->error = Error(row.code, "Connection refused", {}, row.system_error);
  const auto device = HeldDevice::make(loop.executor(), std::move(failing));
  CHECK_FALSE(loop.run(device->open("x")));
  CHECK(device->is_lost() == row.lost);
}
