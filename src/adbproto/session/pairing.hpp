#pragma once
// A pairing as a pure machine for both roles.
//
//   both:  start() -> spake2_message
//          <- spake2_message   -> our PeerInfo, sealed        exchanging -> confirming
//          <- PeerInfo         -> the peer's, opened          confirming -> done
//
// A wrong code shows only when the peer's PeerInfo cannot be opened: auth_pairing_failed. An error
// is final.

#include "adbproto/crypto/spake2.hpp"
#include "adbproto/session/handshake.hpp"
#include "adbproto/wire/pairing.hpp"

namespace adbproto {

class Pairing {
 public:
  // `password`: the code's digits, then the 64 bytes exported from TLS. `our_text`: the host's
  // public key, or the device's guid.
  Pairing(Role role, ByteView password, const SpakeRandom& random, std::string our_text);

  [[nodiscard]] PairingPacket start() const;

  struct Step {
    std::optional<PairingPacket> reply;  // send this
    std::optional<std::string> peer;     // the pairing is done: the text of the peer's PeerInfo
  };
  Result<Step> on_packet(const PairingPacket& packet);

  // The error of a link that ends at this point: a peer that cannot open our PeerInfo closes it.
  [[nodiscard]] Error on_link_error(Error cause) const;

 private:
  enum class State { exchanging, confirming, done, failed };

  Result<Step> exchange(const PairingPacket& packet);
  Result<Step> confirm(const PairingPacket& packet);

  Role role_;
  Spake2 spake_;
  std::string our_text_;
  State state_ = State::exchanging;
  std::optional<PairingCipher> cipher_;
};

}  // namespace adbproto
