// Invariants: a decoded header fits its own size and encodes back to the bytes it came from.

#include "adbproto/wire/framebuffer.hpp"

#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  const auto header = decode_framebuffer_header(bytes);
  if (!header || !*header) return 0;
  fuzz::require((*header)->size == std::uint64_t{(*header)->width} * (*header)->height *
                                       (*header)->bits_per_pixel / 8);
  (void)pixel_format(**header);
  fuzz::require_next(bytes, encode_framebuffer_header(**header));
  return 0;
}
