// Invariants: what parses encodes (unless it is too long without compression) to a message that
// parses to the same; names and texts keep DNS's bounds.

#include "adbproto/wire/mdns.hpp"
#include "chunks.hpp"
#include "simdroid/wireless/mdns_records.hpp"

using namespace adbproto;

namespace {

void require_bounded(const DnsName& name) {
  std::size_t size = 1;
  for (const std::string& label : name) {
    fuzz::require(!label.empty() && label.size() <= 63);
    size += 1 + label.size();
  }
  fuzz::require(size <= 255);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto message = parse_mdns(fuzz::input(data, size));
  if (!message) return 0;
  for (const DnsRecord& record : message->records) require_bounded(record.name);
  const auto encoded = encode_mdns_message(*message);
  if (encoded) {
    fuzz::require(parse_mdns(*encoded) == message);
  } else {
    fuzz::require(encoded.error().code() == errc::limit);
  }
  return 0;
}
