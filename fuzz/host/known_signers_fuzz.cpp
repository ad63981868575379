// Invariants, for whatever stands in operator_signers.json: no input crashes; what is read is
// bounded, names each package once, and is read back as it is once it was written.

#include "runtime/host/operator/known_signers.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const KnownSigners known = parse_known_signers(text);
  fuzz::require(known.entries.size() <= KnownSigners::kMost);
  for (const ApkSigners& signers : known.entries) {
    fuzz::require(!signers.sha256.empty() && signers.sha256.size() <= kMaxSigners);
    fuzz::require(known.find(signers.package) == &signers);
  }
  KnownSigners whole = known;
  whole.is_damaged = false;
  fuzz::require(parse_known_signers(to_json(whole)) == whole);
  return 0;
}
