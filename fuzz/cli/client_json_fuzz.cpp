// Our entry in a client's JSON settings. Invariants: client_entry.hpp.

#include "cli/client_entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  clawperator::fuzz_clients::check("cursor", data, size);
  return 0;
}
