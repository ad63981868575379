#pragma once
// The header of the `framebuffer:` service, little-endian words; `size` bytes of pixels follow.
//
//   version 1   bpp size width height red blue green alpha          each colour: offset, length
//   version 2   bpp colorspace size width height red blue green alpha
//   version 16  size width height                                   RGB565, long gone
// Blue really comes before green.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "adbproto/wire/screencap.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

struct ColorBits {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  bool operator==(const ColorBits&) const = default;
};

struct FramebufferHeader {
  std::uint32_t version = 2;
  std::uint32_t bits_per_pixel = 0;
  std::uint32_t colorspace = 0;
  std::uint32_t size = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  ColorBits red{}, blue{}, green{}, alpha{};

  // Bytes in front of the pixels.
  [[nodiscard]] std::size_t encoded_size() const;

  bool operator==(const FramebufferHeader&) const = default;
};

// nullopt: more bytes are needed. `protocol` for an unknown version or a size that does not fit
// the dimensions, `limit` for a side above kMaxFrameSide.
Result<std::optional<FramebufferHeader>> decode_framebuffer_header(ByteView bytes);
Bytes encode_framebuffer_header(const FramebufferHeader& header);

// The header of a frame in that format. nullopt: framebuffer: cannot describe it.
std::optional<FramebufferHeader> framebuffer_header(PixelFormat format, std::uint32_t width,
                                                    std::uint32_t height);
// nullopt: none of our formats.
std::optional<PixelFormat> pixel_format(const FramebufferHeader& header);

}  // namespace adbproto
