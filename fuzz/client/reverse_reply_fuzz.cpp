// Invariants: a text comes from the answer itself, and half an answer is never a whole one with
// other words.

#include "adbproto/client/forward.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const auto whole = parse_reverse_reply(bytes);
  if (whole) fuzz::require(as_text(bytes).find(*whole) != std::string_view::npos);
  if (bytes.empty()) return 0;
  const auto half = parse_reverse_reply(bytes.first(bytes.size() - 1));
  fuzz::require(!half || !whole || half->empty() || *half == *whole);
  return 0;
}
