#pragma once
// From a fresh link to an agreed connection, as a pure machine for both roles.
//
//   host:    start() -> CNXN ... CNXN -> Connected   |  AUTH, STLS -> an error that says so
//   device:  CNXN -> CNXN, Connected                 |  everything before it is ignored
//
// Agreed are: protocol version and payload limit (the smaller of both), flow control (delayed_ack
// only when both banners name it). CNXN carries a checksum always.

#include <optional>
#include <variant>

#include "adbproto/base/error.hpp"
#include "adbproto/session/stream_table.hpp"
#include "adbproto/wire/banner.hpp"
#include "adbproto/wire/packet.hpp"

namespace adbproto {

enum class Role { host, device };

struct Agreement {
  Banner peer;
  std::uint32_t version = kVersionUnchecked;
  std::uint32_t max_payload = kMaxPayload;
  FlowControl flow_control = FlowControl::classic;

  bool operator==(const Agreement&) const = default;
};

class Handshake {
 public:
  Handshake(Role role, Banner ours, std::uint32_t max_payload = kMaxPayload)
      : role_(role), ours_(std::move(ours)), max_payload_(max_payload) {}

  // The packet to send first; only the host begins.
  [[nodiscard]] std::optional<Packet> start() const;

  struct Step {
    std::optional<Packet> reply;         // send this,
    std::optional<Agreement> agreement;  // then this is agreed
  };
  Result<Step> on_packet(const Packet& packet);

 private:
  [[nodiscard]] Packet connect_packet() const;
  Result<Agreement> agree(const Packet& packet) const;

  Role role_;
  Banner ours_;
  std::uint32_t max_payload_;
};

}  // namespace adbproto
