#include "adbproto/wire/framebuffer.hpp"

#include <string>
#include <utility>

namespace adbproto {
namespace {

constexpr std::uint32_t kLegacy = 16;

// Words behind the version; 0 for an unknown one.
std::size_t word_count(std::uint32_t version) {
  switch (version) {
    case 1: return 12;
    case 2: return 13;
    case kLegacy: return 3;
    default: return 0;
  }
}

// Lists the fields in wire order, for the encoder and the decoder alike.
template <class Header, class Use>
void for_each_word(Header& header, Use use) {
  const bool full = header.version != kLegacy;
  if (full) use(header.bits_per_pixel);
  if (header.version == 2) use(header.colorspace);
  use(header.size);
  use(header.width);
  use(header.height);
  if (!full) return;
  for (auto* color : {&header.red, &header.blue, &header.green, &header.alpha}) {
    use(color->offset);
    use(color->length);
  }
}

struct Layout {
  PixelFormat format;
  std::uint32_t bits_per_pixel;
  ColorBits red, blue, green, alpha;
};

constexpr Layout kLayouts[] = {
    {PixelFormat::rgba_8888, 32, {0, 8}, {16, 8}, {8, 8}, {24, 8}},
    {PixelFormat::rgbx_8888, 32, {0, 8}, {16, 8}, {8, 8}, {24, 0}},
    {PixelFormat::rgb_888, 24, {0, 8}, {16, 8}, {8, 8}, {24, 0}},
    {PixelFormat::rgb_565, 16, {11, 5}, {0, 5}, {5, 6}, {0, 0}},
    {PixelFormat::bgra_8888, 32, {16, 8}, {0, 8}, {8, 8}, {24, 8}},
};

Result<void> check(const FramebufferHeader& header) {
  if (header.width > kMaxFrameSide || header.height > kMaxFrameSide) {
    return fail(errc::limit, "framebuffer of " + std::to_string(header.width) + "x" +
                                 std::to_string(header.height) + " pixels");
  }
  if (header.bits_per_pixel != 16 && header.bits_per_pixel != 24 && header.bits_per_pixel != 32) {
    return fail(errc::protocol,
                "framebuffer with " + std::to_string(header.bits_per_pixel) + " bits per pixel");
  }
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels == 0 || header.size != pixels * (header.bits_per_pixel / 8)) {
    return fail(errc::protocol, "framebuffer of " + std::to_string(header.size) +
                                    " bytes does not fit its " + std::to_string(header.width) +
                                    "x" + std::to_string(header.height) + " pixels");
  }
  return {};
}

void fill_rgb_565(FramebufferHeader& header) {
  header.bits_per_pixel = 16;
  header.red = {11, 5};
  header.blue = {0, 5};
  header.green = {5, 6};
}

}  // namespace

std::size_t FramebufferHeader::encoded_size() const { return 4 + 4 * word_count(version); }

Result<std::optional<FramebufferHeader>> decode_framebuffer_header(ByteView bytes) {
  if (bytes.size() < 4) return std::nullopt;
  FramebufferHeader header{.version = load_le<std::uint32_t>(bytes.data())};
  if (word_count(header.version) == 0) {
    return fail(errc::protocol, "framebuffer of unknown version " + std::to_string(header.version));
  }
  if (bytes.size() < header.encoded_size()) return std::nullopt;
  const std::byte* at = bytes.data();
  for_each_word(header, [&](std::uint32_t& field) { field = load_le<std::uint32_t>(at += 4); });
  if (header.version == kLegacy) fill_rgb_565(header);
  TRY_VOID(check(header));
  return header;
}

Bytes encode_framebuffer_header(const FramebufferHeader& header) {
  Bytes out;
  append_le(out, header.version);
  for_each_word(header, [&](const std::uint32_t& field) { append_le(out, field); });
  return out;
}

std::optional<FramebufferHeader> framebuffer_header(PixelFormat format, std::uint32_t width,
                                                    std::uint32_t height) {
  for (const auto& layout : kLayouts) {
    if (layout.format != format) continue;
    return FramebufferHeader{.bits_per_pixel = layout.bits_per_pixel,
                             .size = width * height * (layout.bits_per_pixel / 8),
                             .width = width,
                             .height = height,
                             .red = layout.red,
                             .blue = layout.blue,
                             .green = layout.green,
                             .alpha = layout.alpha};
  }
  return std::nullopt;
}

std::optional<PixelFormat> pixel_format(const FramebufferHeader& header) {
  for (const auto& layout : kLayouts) {
    if (layout.bits_per_pixel == header.bits_per_pixel && layout.red == header.red &&
        layout.green == header.green && layout.blue == header.blue &&
        layout.alpha.length == header.alpha.length) {
      return layout.format;
    }
  }
  return std::nullopt;
}

}  // namespace adbproto
