#include "adbproto/session/handshake.hpp"

#include <algorithm>

namespace adbproto {

Packet Handshake::connect_packet() const {
  return {Command::connect, kVersionUnchecked, max_payload_, to_bytes(encode_banner(ours_))};
}

std::optional<Packet> Handshake::start() const {
  if (role_ == Role::device) return std::nullopt;
  return connect_packet();
}

Result<Agreement> Handshake::agree(const Packet& packet) const {
  Agreement agreement;
  TRY(agreement.peer, parse_banner(packet.payload));
  agreement.version = std::min(packet.arg0, kVersionUnchecked);
  agreement.max_payload = std::min(packet.arg1, max_payload_);
  if (agreement.max_payload < 64) {
    return fail(Errc::protocol, "peer takes packets of " + std::to_string(packet.arg1) + " bytes");
  }
  if (ours_.features.has("delayed_ack") && agreement.peer.features.has("delayed_ack")) {
    agreement.flow_control = FlowControl::delayed_ack;
  }
  return agreement;
}

Result<Handshake::Step> Handshake::on_packet(const Packet& packet) {
  Step step;
  switch (packet.command) {
    case Command::connect: {
      TRY(step.agreement, agree(packet));
      if (role_ == Role::device) step.reply = connect_packet();
      return step;
    }
    case Command::auth:
      if (role_ == Role::device) return step;
      return fail(Errc::device_unauthorized,
                  "device asks for a key; connect through an adb server");
    case Command::stls:
      if (role_ == Role::device) return step;
      return fail(Errc::unsupported, "device asks for TLS; connect through an adb server");
    default: return step;  // stale data of an earlier session
  }
}

}  // namespace adbproto
