// Invariants, whatever the peer sends and whenever the driver answers: a host shows each key once
// and offers one a bounded number of times; it agrees only to a CNXN. A device that asks for a key
// or for TLS admits no host that has neither shown one nor been confirmed.

#include <cstdint>
#include <cstdlib>

#include "adbproto/session/handshake.hpp"

using namespace adbproto;
using Awaits = Handshake::Awaits;

namespace {

struct Input {
  const std::uint8_t* at;
  const std::uint8_t* end;
  std::uint8_t byte() { return at == end ? 0 : *at++; }
};

void require(bool holds) {
  if (!holds) std::abort();
}

const RsaKey& key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

constexpr Command kCommands[] = {Command::connect, Command::auth, Command::stls, Command::open};

Packet next_packet(Input& input) {
  Packet packet{kCommands[input.byte() % 4], input.byte() % 5u, 0, {}};
  if (packet.command == Command::connect) packet.arg1 = input.byte() * 64u;
  const std::uint8_t shape = input.byte();
  std::size_t size = shape < 128 ? 20 : shape % 100u;
  while (size-- > 0) packet.payload.push_back(std::byte{input.byte()});
  if (packet.command == Command::auth && shape == 255) {
    packet.payload = to_bytes(key().public_text("fuzz"));
  }
  return packet;
}

void run_host(Input& input) {
  Handshake host(Role::host, {}, kMaxPayload);
  int shown = 0;
  bool asked = false;
  while (input.at != input.end) {
    const Packet packet = next_packet(input);
    auto step = host.on_packet(packet);
    if (step && step->awaits == Awaits::keys) {
      require(!std::exchange(asked, true));
      step = host.on_keys({.keys = {key()}, .comment = "fuzz"});
    }
    if (!step) return;
    if (step->reply && step->reply->command == Command::auth) require(++shown <= 1 + 8);
    if (step->awaits == Awaits::tls) step = host.on_tls();
    if (!step->agreement) continue;
    require(packet.command == Command::connect && step->agreement->max_payload <= kMaxPayload);
    return;
  }
}

void run_device(Input& input, Admission admission) {
  DeviceTrust trust{.admission = admission, .authorised = {key().public_text("")}};
  Handshake device(Role::device, {}, kMaxPayload, trust);
  bool connected = false;
  while (input.at != input.end) {
    const Packet packet = next_packet(input);
    const auto step = device.on_packet(packet);
    if (!step) return;
    connected |= packet.command == Command::connect;
    require(!step->agreement || admission == Admission::open);
    if (step->awaits == Awaits::confirmation) {
      require(connected && admission == Admission::key && !step->offered_key.empty());
    }
    if (step->awaits == Awaits::tls) require(connected && admission == Admission::tls);
    if (step->agreement) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input{data, data + size};
  const std::uint8_t role = input.byte() % 4;
  if (role == 3) {
    run_host(input);
  } else {
    run_device(input, Admission{role});
  }
  return 0;
}
