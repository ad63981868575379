#pragma once
// Pairing with a phone's "wireless debugging": TLS, then SPAKE2 with the six-digit code. Then each
// side sends its identity under a key that only the right code gives.

#include "adbproto/client/key_store.hpp"
#include "adbproto/client/server_address.hpp"
#include "base/async/byte_stream.hpp"

namespace adbproto {

struct Paired {
  std::string guid;  // the device's, such as "adb-SERIAL-abcdef"
};

// Host side. Fails with auth_pairing_failed when the code is wrong (nothing is stored), link_lost
// when the device closes the connection before that shows, io, deadline_exceeded or protocol.
Task<Paired> pair_device(DeviceAddress address, std::string code, KeyRing keys,
                         std::chrono::milliseconds limit);
Task<Paired> pair_over(ByteStreamPtr link, std::string code, KeyRing keys);

// Device side: one attempt over one link. Returns the host's public key text.
Task<std::string> serve_pairing(ByteStreamPtr link, std::string code, RsaKey key, std::string guid);

// ~/.android/adb_known_hosts.pb, shared with adb: the guids of paired devices.
Result<std::vector<std::string>> read_known_hosts(const GetEnvironment& environment);
// Adds a guid. A damaged list is moved aside: returns its new name, else an empty text.
Task<std::string> add_known_host(GetEnvironment environment, std::string guid);

}  // namespace adbproto
