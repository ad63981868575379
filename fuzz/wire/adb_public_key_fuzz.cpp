// Invariants: what decodes, as a blob or as a line, encodes to something that decodes to the same;
// n0inv of what is encoded is the negative inverse of the modulus.

#include "adbproto/wire/adb_public_key.hpp"
#include "chunks.hpp"

using namespace adbproto;

namespace {

void check(const AdbPublicKey& key) {
  const Bytes blob = encode_adb_public_key(key);
  fuzz::require(decode_adb_public_key(blob) == key);
  const auto n0 = load_le<std::uint32_t>(&blob[8]);
  fuzz::require(n0 * load_le<std::uint32_t>(&blob[4]) == 0xffffffffu);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  if (const auto key = decode_adb_public_key(bytes)) check(*key);
  const auto line = parse_adb_public_key_line(as_text(bytes));
  if (!line) return 0;
  check(line->key);
  fuzz::require(parse_adb_public_key_line(encode_adb_public_key_line(*line)) == line);
  return 0;
}
