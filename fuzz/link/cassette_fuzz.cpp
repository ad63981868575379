// Invariants: a parsed cassette encodes to the input it came from, less a record that was cut off;
// no record is larger than the input.

#include "support/cassette.hpp"

#include "wire/chunks.hpp"

using namespace adbproto::testing;
using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const auto cassette = parse_cassette(bytes);
  if (!cassette) return 0;
  Bytes again = encode_cassette_header();
  for (const auto& record : cassette->records) append(again, encode_cassette_record(record));
  fuzz::require(again.size() <= bytes.size());
  fuzz::require(std::ranges::equal(again, bytes.first(again.size())));
  fuzz::require(cassette->cut == (again.size() < bytes.size()));
  return 0;
}
