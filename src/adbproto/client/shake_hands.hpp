#pragma once
// The coroutine that drives session/handshake over a link, for either role: keys are read, TLS is
// put around the link and a person is waited for when the machine asks for it.

#include <chrono>
#include <optional>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/client/wire_observer.hpp"

namespace adbproto {

struct Shaken {
  Agreement agreement{};
  bool encrypted = false;
  bool agreed_at_once = true;                      // host: the device asked for no key
  std::optional<std::chrono::microseconds> rtt{};  // from our first packet to the peer's
};

// The packet that opens it; nullopt where it is longer than anybody takes before the agreement.
std::optional<Packet> early_packet(const EarlyOpen& early, std::uint32_t receive_window);

// `link` becomes TLS where the device asks for it, and is gone when that fails; `reader` keeps what
// came behind the last packet. All must outlive the task.
Task<Shaken> shake_hands(ByteStreamPtr* link, PacketReader* reader, const TransportOptions* options,
                         LinkObserver* observer = nullptr);

}  // namespace adbproto
