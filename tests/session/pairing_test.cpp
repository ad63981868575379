#include "adbproto/session/pairing.hpp"

#include <catch2/catch.hpp>
#include <deque>

#include "adbproto/wire/errc.hpp"
#include "support/print_result.hpp"

using namespace adbproto;

namespace {

using Type = PairingPacket::Type;

constexpr const char* kKeyText = "QUFBQQ== test@host";
constexpr const char* kGuid = "adb-SIM0001-abcdef";

SpakeRandom random_from(int seed) {
  SpakeRandom random;
  for (std::size_t i = 0; i < random.size(); ++i) {
    random[i] = static_cast<std::byte>(static_cast<std::size_t>(seed) * 31 + i * 7);
  }
  return random;
}

Pairing host(std::string_view code) {
  return {Role::host, as_bytes(code), random_from(1), kKeyText};
}
Pairing device(std::string_view code) {
  return {Role::device, as_bytes(code), random_from(2), kGuid};
}

// Both machines over a perfect link, until neither has anything to say.
struct Conversation {
  Pairing host;
  Pairing device;
  std::deque<PairingPacket> to_host{};
  std::deque<PairingPacket> to_device{};
  std::optional<std::string> host_knows{}, device_knows{};
  std::optional<Error> host_failed{}, device_failed{};

  static void turn(Pairing& machine, std::deque<PairingPacket>& in, std::deque<PairingPacket>& out,
                   std::optional<std::string>& knows, std::optional<Error>& failed) {
    for (; !in.empty(); in.pop_front()) {
      if (failed) continue;
      auto step = machine.on_packet(in.front());
      if (!step) {
        failed = step.error();
        continue;
      }
      if (step->reply) out.push_back(*step->reply);
      if (step->peer) knows = step->peer;
    }
  }

  void run() {
    to_device.push_back(host.start());
    to_host.push_back(device.start());
    while (!to_host.empty() || !to_device.empty()) {
      turn(host, to_host, to_device, host_knows, host_failed);
      turn(device, to_device, to_host, device_knows, device_failed);
    }
  }
};

// What a device with the right code says, packet by packet, to host("592781").
std::vector<PairingPacket> device_script() {
  Pairing machine = device("592781");
  const auto reply = machine.on_packet(host("592781").start());
  return {machine.start(), reply.value().reply.value()};
}
std::vector<PairingPacket> host_script() {
  Pairing machine = host("592781");
  const auto reply = machine.on_packet(device("592781").start());
  return {machine.start(), reply.value().reply.value()};
}

Errc error_of(const Result<Pairing::Step>& step) {
  REQUIRE_FALSE(step);
  return step.error().code();
}

}  // namespace

TEST_CASE("pairing: the right code makes both sides known to each other", "[session]") {
  Conversation both{host("592781"), device("592781")};
  both.run();
  CHECK_FALSE(both.host_failed);
  CHECK_FALSE(both.device_failed);
  CHECK(both.host_knows == kGuid);
  CHECK(both.device_knows == kKeyText);
}

TEST_CASE("pairing: a wrong code fails on both sides and reveals nothing", "[session]") {
  Conversation both{host("592781"), device("592782")};
  both.run();
  REQUIRE(both.host_failed);
  REQUIRE(both.device_failed);
  CHECK(both.host_failed->code() == errc::auth_pairing_failed);
  CHECK(both.device_failed->code() == errc::auth_pairing_failed);
  CHECK_FALSE(both.host_knows);
  CHECK_FALSE(both.device_knows);
}

TEST_CASE("pairing: both roles begin with 32 bytes and go on with 8208", "[session]") {
  for (const auto& script : {device_script(), host_script()}) {
    CHECK(script[0].type == Type::spake2_message);
    CHECK(script[0].payload.size() == 32);
    CHECK(script[1].type == Type::peer_info);
    CHECK(script[1].payload.size() == 8208);
  }
}

TEST_CASE("pairing: every split of the peer's stream ends the same", "[session]") {
  const bool as_host = GENERATE(true, false);
  Bytes stream;
  for (const auto& packet : as_host ? device_script() : host_script()) {
    append(stream, encode_pairing_packet(packet));
  }
  for (std::size_t cut = 0; cut <= stream.size(); cut += cut < 64 ? 1 : 211) {
    Pairing machine = as_host ? host("592781") : device("592781");
    PairingReader reader;
    std::optional<std::string> peer;
    for (const ByteView part : {ByteView(stream).first(cut), ByteView(stream).subspan(cut)}) {
      reader.feed(part);
      while (const auto packet = reader.next().value()) peer = machine.on_packet(*packet)->peer;
    }
    INFO("cut at " << cut);
    REQUIRE(peer == (as_host ? kGuid : kKeyText));
  }
}

TEST_CASE("pairing: a failure at any step is final", "[session]") {
  const bool as_host = GENERATE(true, false);
  const auto script = as_host ? device_script() : host_script();
  const std::size_t good = GENERATE(0u, 1u, 2u);
  struct Case {
    const char* name;
    PairingPacket packet;
  };
  const auto bad = GENERATE(values<Case>({
      {"a short key message", {Type::spake2_message, Bytes(31)}},
      {"a message that is no point", {Type::spake2_message, Bytes(32, std::byte{0x02})}},
      {"a short peer info", {Type::peer_info, Bytes(15)}},
      {"a peer info under another key", {Type::peer_info, Bytes(8208)}},
  }));
  INFO(bad.name << " after " << good << " packets");
  Pairing machine = as_host ? host("592781") : device("592781");
  for (std::size_t i = 0; i < good; ++i) REQUIRE(machine.on_packet(script[i]));
  CHECK_FALSE(machine.on_packet(bad.packet));
  for (const auto& packet : script) CHECK(error_of(machine.on_packet(packet)) == errc::protocol);
}

TEST_CASE("pairing: packets out of order are refused", "[session]") {
  const auto script = device_script();
  Pairing early = host("592781");
  CHECK(error_of(early.on_packet(script[1])) == errc::protocol);
  Pairing twice = host("592781");
  REQUIRE(twice.on_packet(script[0]));
  CHECK(error_of(twice.on_packet(script[0])) == errc::protocol);
}

TEST_CASE("pairing: a peer of the same role is not what was wanted", "[session]") {
  // Bob's side of the exchange, but a host's identity.
  const Spake2 bob(SpakeSide::bob, as_bytes("592781"), random_from(2));
  const auto key = bob.key(host("592781").start().payload);
  PairingCipher cipher(derive_pairing_key(*key).value());
  const PeerInfo info = GENERATE(values<PeerInfo>({
      {PeerInfo::Kind::rsa_public_key, kKeyText},
      {PeerInfo::Kind::device_guid, ""},
  }));
  Pairing machine = host("592781");
  REQUIRE(
      machine.on_packet({Type::spake2_message, Bytes(bob.message().begin(), bob.message().end())}));
  const Bytes sealed = cipher.seal(encode_peer_info(info).value()).value();
  CHECK(error_of(machine.on_packet({Type::peer_info, sealed})) == errc::protocol);
}

TEST_CASE("pairing: who hangs up after our proof did not like the code", "[session]") {
  const Error closed(errc::closed, "connection closed");
  const Error reset(errc::io, "connection reset");
  const Error late(errc::deadline_exceeded, "late");
  Pairing machine = host("592781");
  CHECK(machine.on_link_error(closed).code() == errc::link_lost);
  CHECK(machine.on_link_error(reset) == machine.on_link_error(closed));
  const auto script = device_script();
  REQUIRE(machine.on_packet(script[0]));
  CHECK(machine.on_link_error(closed).code() == errc::auth_pairing_failed);
  CHECK(machine.on_link_error(reset).code() == errc::auth_pairing_failed);
  CHECK(machine.on_link_error(late) == late);
  REQUIRE(machine.on_packet(script[1]));
  CHECK(machine.on_link_error(closed) == closed);
}
