// Invariants: no frame header, option or mark crashes the pipeline; a PNG that was made decodes to
// the size it was made for; decoding hostile PNG bytes fails or gives a whole picture.
//
//   byte 0..3 options, then three u32 as of a raw screencap, then pixels, or a PNG

#include <cstdint>
#include <cstdlib>

#include "adbproto/wire/screencap.hpp"
#include "runtime/image/frame.hpp"
#include "runtime/image/picture.hpp"
#include "runtime/image/png.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void decode(ByteView file) {
  const auto picture = decode_png(file);
  const bool black = is_black_png(file);
  if (!picture) return;
  require(check_frame(picture->frame()).has_value());
  require(!black || is_all_black(picture->frame()));
}

void encode(ByteView options, const adbproto::RawFrame& frame) {
  const auto option = [&](std::size_t i) { return std::to_integer<int>(options[i]); };
  PictureOptions wanted;
  wanted.format = (option(0) & 1) != 0 ? ImageFormat::jpeg : ImageFormat::png;
  wanted.quality = option(1);
  if (option(2) != 0) wanted.max_side = static_cast<std::uint32_t>(option(2));
  for (int i = 0; i < option(3) % 8; ++i)
    wanted.marks.push_back({i * option(1), option(0) - 100, i - option(2), option(3) * i, 40 - i});
  const auto file = encode_picture(frame, wanted);
  if (!file || wanted.format == ImageFormat::jpeg) return;
  const auto picture = decode_png(*file);
  PictureSize size{frame.width, frame.height};
  if (wanted.max_side) size = fit(size, *wanted.max_side);
  require(picture && picture->width == size.width && picture->height == size.height);
  (void)is_all_black(frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView input(reinterpret_cast<const std::byte*>(data), size);
  if (input.size() < 16) return 0;
  decode(input.subspan(4));
  const std::byte* header = input.data() + 4;
  encode(input.first(4),
         {.width = load_le<std::uint32_t>(header),
          .height = load_le<std::uint32_t>(header + 4),
          .format = static_cast<adbproto::PixelFormat>(load_le<std::uint32_t>(header + 8)),
          .colorspace = 0,
          .pixels = input.subspan(16)});
  return 0;
}
