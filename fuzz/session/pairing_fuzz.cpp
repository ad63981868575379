// Invariants: no peer's packets make a machine of either role believe it is paired, as none of them
// knows the code; after its first error a machine says nothing but errors.

#include "adbproto/session/pairing.hpp"

#include <cstdlib>

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Role role = data[0] & 1 ? Role::host : Role::device;
  Pairing pairing(role, as_bytes("592781"), SpakeRandom{std::byte{1}, std::byte{2}}, "who I am");
  PairingReader reader;
  reader.feed({reinterpret_cast<const std::byte*>(data) + 1, size - 1});
  bool failed = false;
  int replies = 0;
  for (auto packet = reader.next(); packet && *packet; packet = reader.next()) {
    const auto step = pairing.on_packet(**packet);
    if (failed && step) std::abort();
    failed = !step;
    if (failed) continue;
    if (step->peer || ++replies > 1) std::abort();
    if (!step->reply || step->reply->payload.size() != kPeerInfoSize + 16) std::abort();
  }
  return 0;
}
