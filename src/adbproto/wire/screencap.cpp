#include "adbproto/wire/screencap.hpp"

#include <string>

namespace adbproto {
namespace {

constexpr std::size_t kShortHeader = 12;
constexpr std::uint32_t kMaxColorspace = 16;  // real values are 0, 1 and 2

std::uint32_t word(ByteView bytes, std::size_t index) {
  return load_le<std::uint32_t>(bytes.data() + 4 * index);
}

// The three words that both headers begin with. Precondition: kShortHeader bytes.
Result<RawFrame> decode_words(ByteView bytes) {
  TRY(const auto frame, read_screencap_header(bytes));
  if (bytes_per_pixel(frame.format) == 0) {
    return fail(errc::protocol,
                "screen capture in unknown format " + std::to_string(word(bytes, 2)));
  }
  return frame;
}

std::size_t pixel_bytes(const RawFrame& frame) {
  return std::size_t{frame.width} * frame.height * bytes_per_pixel(frame.format);
}

}  // namespace

Result<RawFrame> read_screencap_header(ByteView bytes) {
  if (bytes.size() < kShortHeader) return fail(errc::protocol, "screen capture without a header");
  const RawFrame frame{.width = word(bytes, 0),
                       .height = word(bytes, 1),
                       .format = static_cast<PixelFormat>(word(bytes, 2))};
  if (frame.width == 0 || frame.height == 0) return fail(errc::protocol, "empty screen capture");
  if (frame.width > kMaxFrameSide || frame.height > kMaxFrameSide) {
    return fail(errc::limit, "screen capture of " + std::to_string(frame.width) + "x" +
                                 std::to_string(frame.height) + " pixels");
  }
  return frame;
}

std::size_t bytes_per_pixel(PixelFormat format) {
  switch (format) {
    case PixelFormat::rgba_8888:
    case PixelFormat::rgbx_8888:
    case PixelFormat::bgra_8888:
    case PixelFormat::rgba_1010102: return 4;
    case PixelFormat::rgb_888: return 3;
    case PixelFormat::rgb_565: return 2;
    case PixelFormat::rgba_fp16: return 8;
  }
  return 0;
}

Result<RawFrame> decode_screencap(ByteView whole) {
  TRY(auto frame, decode_words(whole));
  const std::size_t size = pixel_bytes(frame);
  if (whole.size() == kScreencapHeaderSize + size) {
    frame.colorspace = word(whole, 3);
  } else if (whole.size() != kShortHeader + size) {
    return fail(errc::protocol, "screen capture of " + std::to_string(whole.size()) +
                                    " bytes does not fit its " + std::to_string(frame.width) + "x" +
                                    std::to_string(frame.height) + " pixels");
  }
  frame.pixels = whole.last(size);
  return frame;
}

Result<ScreencapSize> expected_screencap_size(ByteView first_bytes) {
  TRY(const auto frame, decode_words(first_bytes));
  const std::size_t size = pixel_bytes(frame);
  const bool has_colorspace = word(first_bytes, 3) <= kMaxColorspace;
  return ScreencapSize{size, size + (has_colorspace ? kScreencapHeaderSize : kShortHeader)};
}

}  // namespace adbproto
