#pragma once
// From a fresh link to an agreed connection, as a pure machine for both roles.
//
//   host    start() -> CNXN ...                           ... CNXN -> agreed
//             AUTH token -> [keys] -> signature of the next key; none left -> public key of the
//             first, and a person decides: the device's CNXN may take minutes
//             STLS -> [keys] -> STLS, [TLS] -> the device's CNXN comes inside
//   device  CNXN -> CNXN, agreed                          (open)
//           CNXN -> token; signature of a known key -> CNXN, agreed; of another -> a new token;
//             a public key -> [a person accepts] -> CNXN, agreed                    (key)
//           CNXN -> STLS; STLS -> [TLS] -> CNXN, agreed                             (tls)
//
// [..] is the driver's work between the packets: Step::awaits names it, and the matching on_..()
// continues. The agreement has the protocol version and the payload limit (the smaller of both),
// and flow control (delayed_ack only if both banners name it). CNXN and AUTH always have a
// checksum.

#include "adbproto/crypto/rsa_key.hpp"
#include "adbproto/session/stream_table.hpp"
#include "adbproto/wire/banner.hpp"
#include "adbproto/wire/packet.hpp"
#include "base/error.hpp"

namespace adbproto {

struct Agreement {
  Banner peer;
  std::uint32_t version = kVersionUnchecked;
  std::uint32_t max_payload = kMaxPayload;
  FlowControl flow_control = FlowControl::classic;

  bool operator==(const Agreement&) const = default;
};

// The keys that a host may use, and whether it offers the first one to a device that accepts none.
enum class Offer { never, first_key };
struct HostKeys {
  std::vector<RsaKey> keys{};
  std::string comment{};
  Offer offer = Offer::first_key;
};

// A device's requirement for hosts.
enum class Admission { open, key, tls };
struct DeviceTrust {
  Admission admission = Admission::open;
  std::vector<std::string> authorised{};  // public key texts
  std::function<Bytes()> new_token = random_token;
};

class Handshake {
 public:
  Handshake(Role role, Banner ours, std::uint32_t max_payload = kMaxPayload,
            DeviceTrust trust = {});

  enum class Awaits {
    packet,        // on_packet
    keys,          // host: on_keys
    tls,           // after `reply` is sent, the bytes after the last packet belong to TLS: on_tls
    confirmation,  // host: on_packet, which may take minutes; device: on_confirmed, or on_packet
  };
  struct Step {
    std::optional<Packet> reply{};         // the driver sends this before anything else
    std::optional<Agreement> agreement{};  // present: the handshake is done once `reply` is sent
    Awaits awaits = Awaits::packet;        // else: what the driver does next
    std::string offered_key{};             // device, with `confirmation`: the host's key text
  };

  // Host: the device must require TLS. A device that does not gets no reply; the result is this
  // error.
  void require_tls(Error otherwise) { without_tls_ = std::move(otherwise); }

  // The first packet; only the host begins.
  [[nodiscard]] std::optional<Packet> start() const;

  // Fails with device_unauthorized when no key helps, protocol or limit.
  Result<Step> on_packet(const Packet& packet);
  Result<Step> on_keys(HostKeys keys);
  Step on_tls();
  Step on_confirmed();

 private:
  enum class State { start, token_sent, stls_sent, secured };
  using StepResult = Result<Step>;

  [[nodiscard]] Packet connect_packet() const;
  [[nodiscard]] Result<Agreement> agree(const Packet& packet) const;
  [[nodiscard]] Step admit() const;

  StepResult host_on_packet(const Packet& packet);
  StepResult answer_token();
  StepResult offer_key();

  StepResult device_on_packet(const Packet& packet);
  StepResult device_on_auth(const Packet& packet);
  Step send_token();

  Role role_;
  Banner ours_;
  std::uint32_t max_payload_;
  State state_ = State::start;

  std::optional<Error> without_tls_;
  std::optional<HostKeys> keys_;  // host: once they are loaded
  std::size_t keys_tried_ = 0;
  int offers_ = 0;

  DeviceTrust trust_;
  std::optional<Agreement> pending_;  // device: from the host's CNXN
  std::string offered_key_;
  Bytes token_;  // host: received; device: sent
};

}  // namespace adbproto
