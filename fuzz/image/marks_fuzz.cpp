// Invariant: whatever marks parse can be drawn on a picture of any size without leaving it.

#include "runtime/image/marks.hpp"

#include <cstdint>
#include <cstdlib>

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto marks = parse_marks({reinterpret_cast<const char*>(data + 1), size - 1});
  if (!marks) return 0;
  const std::uint32_t side = data[0] % 64 + 1;
  Picture picture{side, 65 - side, Channels::rgb,
                  adbproto::Bytes(std::size_t{side} * (65 - side) * 3)};
  draw_marks(picture, *marks, {.device = side, .picture = data[0] % side + 1});
  if (picture.pixels.size() != std::size_t{side} * (65 - side) * 3) std::abort();
  return 0;
}
