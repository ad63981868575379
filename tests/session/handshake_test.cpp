#include "adbproto/session/handshake.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

namespace {

Banner host_says(FeatureSet features = {}) {
  Banner banner;
  banner.type = "host";
  banner.features = std::move(features);
  return banner;
}

Packet connect(std::uint32_t version, std::uint32_t max_payload, std::string_view banner) {
  return {Command::connect, version, max_payload, to_bytes(banner)};
}

}  // namespace

TEST_CASE("handshake: a host begins with its version, its limit and its banner", "[session]") {
  const Handshake handshake(Role::host, host_says({"cmd", "shell_v2"}));
  const auto first = handshake.start();
  REQUIRE(first);
  CHECK(first->command == Command::connect);
  CHECK(first->arg0 == 0x01000001);
  CHECK(first->arg1 == 0x100000);
  CHECK(as_text(first->payload) == "host::features=cmd,shell_v2");
}

TEST_CASE("handshake: what is agreed is the smaller of both sides", "[session]") {
  struct Case {
    const char* name;
    Packet answer;
    std::uint32_t version;
    std::uint32_t max_payload;
    FlowControl flow;
  };
  const auto row = GENERATE(values<Case>({
      {"a recent adbd", connect(0x01000001, 0x100000, "device::features=shell_v2,delayed_ack"),
       0x01000001, 0x100000, FlowControl::delayed_ack},
      {"a small device", connect(0x01000001, 64, "device::"), 0x01000001, 64, FlowControl::classic},
      {"Android 6", connect(0x01000000, 4096, "device::ro.product.name=x;"), 0x01000000, 4096,
       FlowControl::classic},
      {"a device of the future", connect(0x01000007, 0x400000, "device::features=delayed_ack"),
       0x01000001, 0x100000, FlowControl::delayed_ack},
  }));
  INFO(row.name);
  Handshake handshake(Role::host, host_says({"delayed_ack", "shell_v2"}));
  const auto step = handshake.on_packet(row.answer);
  REQUIRE(step);
  CHECK_FALSE(step->reply);
  REQUIRE(step->agreement);
  CHECK(step->agreement->version == row.version);
  CHECK(step->agreement->max_payload == row.max_payload);
  CHECK(step->agreement->flow_control == row.flow);
}

TEST_CASE("handshake: delayed_ack needs both sides", "[session]") {
  Handshake silent(Role::host, host_says({"shell_v2"}));
  const auto step = silent.on_packet(connect(0x01000001, 0x100000, "device::features=delayed_ack"));
  REQUIRE(step);
  CHECK(step->agreement->flow_control == FlowControl::classic);
}

TEST_CASE("handshake: a device answers the host's CNXN with its own and agrees", "[session]") {
  Banner ours;
  ours.type = "device";
  ours.model = "Sim";
  ours.features = {"shell_v2"};
  Handshake handshake(Role::device, ours);
  CHECK_FALSE(handshake.start());
  const auto early = handshake.on_packet({Command::open, 1, 0, to_bytes("shell:")});
  REQUIRE(early);
  CHECK_FALSE(early->reply);
  CHECK_FALSE(early->agreement);
  const auto step = handshake.on_packet(connect(0x01000000, 4096, "host::"));
  REQUIRE(step);
  REQUIRE(step->reply);
  CHECK(as_text(step->reply->payload) == "device::ro.product.model=Sim;features=shell_v2");
  REQUIRE(step->agreement);
  CHECK(step->agreement->version == 0x01000000);
  CHECK(step->agreement->max_payload == 4096);
}

TEST_CASE("handshake: what this client cannot do is said, not waited for", "[session]") {
  Handshake handshake(Role::host, host_says());
  const auto auth = handshake.on_packet({Command::auth, 1, 0, Bytes(20)});
  REQUIRE_FALSE(auth);
  CHECK(auth.error().code() == Errc::device_unauthorized);
  const auto tls = handshake.on_packet({Command::stls, 0x01000000, 0, {}});
  REQUIRE_FALSE(tls);
  CHECK(tls.error().code() == Errc::unsupported);
}

TEST_CASE("handshake: stale packets before the answer are skipped", "[session]") {
  Handshake handshake(Role::host, host_says());
  for (const Command stale : {Command::write, Command::okay, Command::close, Command::sync}) {
    const auto step = handshake.on_packet({stale, 1, 2, to_bytes("old")});
    REQUIRE(step);
    CHECK_FALSE(step->reply);
    CHECK_FALSE(step->agreement);
  }
}

TEST_CASE("handshake: a hostile answer is an error", "[session]") {
  Handshake handshake(Role::host, host_says());
  const auto tiny = handshake.on_packet(connect(0x01000001, 0, "device::"));
  REQUIRE_FALSE(tiny);
  CHECK(tiny.error().code() == Errc::protocol);
  const auto huge = handshake.on_packet(connect(0x01000001, 4096, std::string(5000, 'x')));
  REQUIRE_FALSE(huge);
  CHECK(huge.error().code() == Errc::limit);
}
