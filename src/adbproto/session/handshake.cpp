#include "adbproto/session/handshake.hpp"

#include <algorithm>

#include "adbproto/wire/adb_public_key.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

enum class Auth : std::uint32_t { token = 1, signature = 2, public_key = 3 };

constexpr std::uint32_t kStlsVersion = 0x01000000;
// adb offers its key again for every further token; we stop when a device keeps sending tokens.
constexpr int kMaxOffers = 8;
// Tokens are signed as long as there are keys; this bounds hosts that guess.
constexpr std::size_t kMaxHostKeys = 256;

Packet auth_packet(Auth kind, Bytes payload) {
  return {Command::auth, static_cast<std::uint32_t>(kind), 0, std::move(payload)};
}
Packet stls_packet() { return {Command::stls, kStlsVersion, 0, {}}; }

bool is_auth(const Packet& packet, Auth kind) {
  return packet.command == Command::auth && packet.arg0 == static_cast<std::uint32_t>(kind);
}

}  // namespace

Handshake::Handshake(Role role, Banner ours, std::uint32_t max_payload, DeviceTrust trust)
    : role_(role), ours_(std::move(ours)), max_payload_(max_payload), trust_(std::move(trust)) {}

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
    return fail(errc::protocol,
                "the peer accepts only packets of " + std::to_string(packet.arg1) + " bytes");
  }
  if (ours_.features.has("delayed_ack") && agreement.peer.features.has("delayed_ack")) {
    agreement.flow_control = FlowControl::delayed_ack;
  }
  return agreement;
}

Result<Handshake::Step> Handshake::on_packet(const Packet& packet) {
  return role_ == Role::host ? host_on_packet(packet) : device_on_packet(packet);
}

// --- host

Result<Handshake::Step> Handshake::host_on_packet(const Packet& packet) {
  Step step;
  const bool is_plain = packet.command == Command::connect || packet.command == Command::auth;
  if (without_tls_ && is_plain && state_ != State::secured) return std::unexpected(*without_tls_);
  if (packet.command == Command::connect) {
    TRY(step.agreement, agree(packet));
    // Not a device: an echo of our packet, or another host.
    const Banner& peer = step.agreement->peer;
    if (connection_state(peer) == "host") {
      return fail(errc::protocol, "the peer is no device: its type is '" + peer.type + "'");
    }
    return step;
  }
  if (state_ == State::secured &&
      (packet.command == Command::auth || packet.command == Command::stls)) {
    return fail(errc::protocol, "the device requires a key inside TLS");
  }
  if (packet.command == Command::stls) {
    state_ = State::stls_sent;
  } else if (is_auth(packet, Auth::token)) {
    if (packet.payload.size() != kTokenSize) {
      return fail(errc::protocol,
                  "the device's token has " + std::to_string(packet.payload.size()) + " bytes");
    }
    state_ = State::token_sent;
    token_ = packet.payload;
  } else {
    // Stale data of an earlier session.
    if (offers_ > 0) step.awaits = Awaits::confirmation;
    return step;
  }
  if (!keys_) {
    step.awaits = Awaits::keys;
    return step;
  }
  return answer_token();
}

Result<Handshake::Step> Handshake::on_keys(HostKeys keys) {
  keys_ = std::move(keys);
  return answer_token();
}

Result<Handshake::Step> Handshake::answer_token() {
  if (state_ == State::stls_sent) return Step{.reply = stls_packet(), .awaits = Awaits::tls};
  while (keys_tried_ < std::min(keys_->keys.size(), kMaxHostKeys)) {
    auto signature = keys_->keys[keys_tried_++].sign_token(token_);
    if (signature) return Step{.reply = auth_packet(Auth::signature, *std::move(signature))};
  }
  return offer_key();
}

Result<Handshake::Step> Handshake::offer_key() {
  if (keys_->keys.empty() || keys_->offer == Offer::never) {
    return fail(errc::device_unauthorized, "the device accepts none of our keys");
  }
  if (offers_++ >= kMaxOffers) {
    return fail(errc::device_unauthorized, "the device refuses our key");
  }
  Bytes text = to_bytes(keys_->keys.front().public_text(keys_->comment));
  text.push_back(std::byte{});
  return Step{.reply = auth_packet(Auth::public_key, std::move(text)),
              .awaits = Awaits::confirmation};
}

Handshake::Step Handshake::on_tls() {
  state_ = State::secured;
  return role_ == Role::device ? admit() : Step{};
}

// --- device

Handshake::Step Handshake::admit() const {
  return {.reply = connect_packet(), .agreement = pending_};
}

Handshake::Step Handshake::send_token() {
  state_ = State::token_sent;
  token_ = trust_.new_token();
  return {.reply = auth_packet(Auth::token, token_)};
}

Result<Handshake::Step> Handshake::device_on_packet(const Packet& packet) {
  if (packet.command == Command::connect) {
    TRY(pending_, agree(packet));
    offered_key_.clear();
    if (trust_.admission == Admission::open) return admit();
    if (trust_.admission == Admission::key) return send_token();
    state_ = State::stls_sent;
    return Step{.reply = stls_packet()};
  }
  if (packet.command == Command::stls && state_ == State::stls_sent) {
    return Step{.awaits = Awaits::tls};
  }
  if (packet.command == Command::auth && state_ == State::token_sent) {
    return device_on_auth(packet);
  }
  // An early packet is ignored; a pending confirmation continues.
  if (!offered_key_.empty())
    return Step{.awaits = Awaits::confirmation, .offered_key = offered_key_};
  return Step{};
}

Result<Handshake::Step> Handshake::device_on_auth(const Packet& packet) {
  if (is_auth(packet, Auth::signature)) {
    const bool known = std::ranges::any_of(trust_.authorised, [&](const std::string& text) {
      return verify_token(text, token_, packet.payload);
    });
    return known ? admit() : send_token();
  }
  if (!is_auth(packet, Auth::public_key)) return Step{};
  TRY_VOID(parse_adb_public_key_line(as_text(packet.payload)));
  offered_key_ = as_text(packet.payload);
  offered_key_.resize(std::min(offered_key_.find('\0'), offered_key_.size()));
  return Step{.awaits = Awaits::confirmation, .offered_key = offered_key_};
}

Handshake::Step Handshake::on_confirmed() { return offered_key_.empty() ? Step{} : admit(); }

}  // namespace adbproto
