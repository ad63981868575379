// Invariants: any text parses or is too long; what was parsed encodes to a text that parses to
// the same.

#include "adbproto/wire/banner.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto banner = parse_banner(fuzz::input(data, size));
  fuzz::require(banner.has_value() == (size <= kMaxBanner));
  if (!banner) return 0;
  const std::string text = encode_banner(*banner);
  if (text.size() <= kMaxBanner) fuzz::require(parse_banner(text) == banner);
  return 0;
}
