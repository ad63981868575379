// Invariants, for whatever stands in known_phones.json: no input crashes; what is read is bounded,
// names each address once, and is read back as it is once it was written, with nothing damaged.

#include "runtime/device/known_phones.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const KnownPhones known = parse_known_phones(text);
  fuzz::require(known.entries.size() <= KnownPhones::kMost);
  for (const TrustedPhone& phone : known.entries) {
    fuzz::require(!phone.address.empty());
    fuzz::require(known.find(phone.address) == &phone);
    fuzz::require(is_same_phone(phone, phone));
    fuzz::require(learned(phone, phone) == phone);
  }
  KnownPhones whole = known;
  whole.is_damaged = false;
  fuzz::require(parse_known_phones(to_json(whole)) == whole);
  return 0;
}
