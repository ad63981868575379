// Invariants: a file that parses still does with one more entry, which is then the last; no guid
// is longer than the file.

#include "adbproto/wire/pairing.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  auto known = parse_known_hosts(bytes);
  if (!known) return 0;
  for (const std::string& guid : *known) fuzz::require(!guid.empty() && guid.size() < size);
  known->push_back("one more");
  Bytes longer(bytes.begin(), bytes.end());
  append(longer, encode_known_host("one more"));
  fuzz::require(parse_known_hosts(longer) == known);
  return 0;
}
