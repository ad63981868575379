// Invariants: the verdict does not depend on the cuts; an image that passed does not pass with a
// byte more or a byte less.

#include "adbproto/wire/screencap.hpp"

#include "chunks.hpp"

using namespace adbproto;

namespace {

bool is_whole(ByteView bytes, std::size_t step) {
  PngChecker checker;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(step, bytes.size()));
    checker.feed(part);
    bytes = bytes.subspan(part.size());
  }
  return checker.finish().has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const bool whole = is_whole(bytes, size);
  fuzz::require(is_whole(bytes, 1) == whole && is_whole(bytes, 7) == whole);
  if (!whole) return 0;
  Bytes longer(bytes.begin(), bytes.end());
  longer.push_back(std::byte{0});
  fuzz::require(!is_whole(longer, longer.size()) && !is_whole(bytes.first(size - 1), size));
  return 0;
}
