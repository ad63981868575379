#include "adbproto/session/pairing.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

PeerInfo::Kind kind_of(Role role) {
  return role == Role::host ? PeerInfo::Kind::rsa_public_key : PeerInfo::Kind::device_guid;
}

Role other(Role role) { return role == Role::host ? Role::device : Role::host; }

}  // namespace

Pairing::Pairing(Role role, ByteView password, const SpakeRandom& random, std::string our_text)
    : role_(role),
      spake_(role == Role::host ? SpakeSide::alice : SpakeSide::bob, password, random),
      our_text_(std::move(our_text)) {}

PairingPacket Pairing::start() const {
  const SpakePoint& message = spake_.message();
  return {PairingPacket::Type::spake2_message, Bytes(message.begin(), message.end())};
}

Result<Pairing::Step> Pairing::on_packet(const PairingPacket& packet) {
  switch (std::exchange(state_, State::failed)) {
    case State::exchanging: return exchange(packet);
    case State::confirming: return confirm(packet);
    case State::done:
    case State::failed: break;
  }
  return fail(errc::protocol, "pairing packet after the end of the pairing");
}

Result<Pairing::Step> Pairing::exchange(const PairingPacket& packet) {
  if (packet.type != PairingPacket::Type::spake2_message) {
    return fail(errc::protocol, "peer info before the key exchange");
  }
  TRY(const SpakeKey shared, spake_.key(packet.payload));
  TRY(const PairingKey key, derive_pairing_key(shared));
  cipher_.emplace(key);
  TRY(const Bytes info, encode_peer_info({kind_of(role_), our_text_}));
  Step step;
  step.reply.emplace().type = PairingPacket::Type::peer_info;
  TRY(step.reply->payload, cipher_->seal(info));
  state_ = State::confirming;
  return step;
}

Result<Pairing::Step> Pairing::confirm(const PairingPacket& packet) {
  if (packet.type != PairingPacket::Type::peer_info) {
    return fail(errc::protocol, "a second key exchange message");
  }
  TRY(const Bytes plain, cipher_->open(packet.payload));
  TRY(PeerInfo info, parse_peer_info(plain));
  if (info.kind != kind_of(other(role_)) || info.text.empty()) {
    return fail(errc::protocol, "peer info of the wrong kind for the peer's role");
  }
  Step step;
  step.peer = std::move(info.text);
  state_ = State::done;
  return step;
}

Error Pairing::on_link_error(Error cause) const {
  const bool hung_up = cause.code() == errc::closed || cause.code() == errc::io;
  if (!hung_up) return cause;
  if (state_ == State::done || state_ == State::failed) return cause;
  if (state_ == State::exchanging) {
    return {errc::link_lost,
            "the other side closed the connection before its part of the key exchange"};
  }
  return {errc::auth_pairing_failed,
          "the other side closed the connection after our proof; the code is wrong or has expired"};
}

}  // namespace adbproto
