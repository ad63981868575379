#include "runtime/image/frame.hpp"

#include <algorithm>

#include "runtime/image/errc.hpp"

namespace clawperator {

namespace {

struct Rgba {
  std::uint8_t red, green, blue, alpha;
};

std::uint8_t byte_at(const std::byte* from, std::size_t i) {
  return std::to_integer<std::uint8_t>(from[i]);
}

// Scales an n-bit value to 8 bits, rounding to nearest.
std::uint8_t widen(std::uint32_t value, std::uint32_t max) {
  return static_cast<std::uint8_t>((value * 255 + max / 2) / max);
}

// IEEE half precision, clamped to 0..1, as 8 bits. NaN is 0.
std::uint8_t from_half(std::uint16_t half) {
  constexpr std::uint16_t kOne = 0x3c00;
  constexpr std::uint16_t kInfinity = 0x7c00;
  if ((half & 0x8000) != 0 || half > kInfinity) return 0;
  if (half >= kOne) return 255;
  const std::uint32_t exponent = half >> 10;
  const std::uint32_t mantissa = half & 0x3ffU;
  // Below 1: mantissa * 2^(exponent - 25), in units of 2^-24.
  const std::uint64_t units =
      exponent == 0 ? mantissa : std::uint64_t{mantissa | 0x400U} << (exponent - 1);
  return static_cast<std::uint8_t>((units * 255 + (1U << 23)) >> 24);
}

template <PixelFormat format>
Rgba read_pixel(const std::byte* from) {
  if constexpr (format == PixelFormat::rgba_8888) {
    return {byte_at(from, 0), byte_at(from, 1), byte_at(from, 2), byte_at(from, 3)};
  } else if constexpr (format == PixelFormat::rgbx_8888 || format == PixelFormat::rgb_888) {
    return {byte_at(from, 0), byte_at(from, 1), byte_at(from, 2), 255};
  } else if constexpr (format == PixelFormat::bgra_8888) {
    return {byte_at(from, 2), byte_at(from, 1), byte_at(from, 0), byte_at(from, 3)};
  } else if constexpr (format == PixelFormat::rgb_565) {
    const std::uint32_t v = load_le<std::uint16_t>(from);
    return {widen(v >> 11, 31), widen(v >> 5 & 63, 63), widen(v & 31, 31), 255};
  } else if constexpr (format == PixelFormat::rgba_1010102) {
    const auto v = load_le<std::uint32_t>(from);
    return {widen(v & 1023, 1023), widen(v >> 10 & 1023, 1023), widen(v >> 20 & 1023, 1023),
            widen(v >> 30, 3)};
  } else {
    const auto channel = [&](std::size_t i) {
      return from_half(load_le<std::uint16_t>(from + 2 * i));
    };
    return {channel(0), channel(1), channel(2), channel(3)};
  }
}

// bytes_per_pixel() as a constant.
template <PixelFormat format>
constexpr std::size_t kStride = 4;
template <>
constexpr std::size_t kStride<PixelFormat::rgb_888> = 3;
template <>
constexpr std::size_t kStride<PixelFormat::rgb_565> = 2;
template <>
constexpr std::size_t kStride<PixelFormat::rgba_fp16> = 8;

template <PixelFormat format, Channels channels>
void convert(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Rgba pixel = read_pixel<format>(from + i * kStride<format>);
    std::byte* out = to + i * channel_count(channels);
    out[0] = std::byte{pixel.red};
    out[1] = std::byte{pixel.green};
    out[2] = std::byte{pixel.blue};
    if constexpr (channels == Channels::rgba) out[3] = std::byte{pixel.alpha};
  }
}

template <PixelFormat format>
void convert_to(Channels channels, const std::byte* from, std::byte* to, std::size_t count) {
  if (channels == Channels::rgb) {
    convert<format, Channels::rgb>(from, to, count);
  } else {
    convert<format, Channels::rgba>(from, to, count);
  }
}

ByteView row_of(const RawFrame& frame, std::size_t y) {
  const std::size_t size = frame.width * bytes_per_pixel(frame.format);
  return frame.pixels.subspan(y * size, size);
}

template <class Predicate>
bool all_rows(const RawFrame& frame, Channels channels, Predicate holds) {
  std::vector<std::byte> row(frame.width * channel_count(channels));
  for (std::uint32_t y = 0; y < frame.height; ++y) {
    convert_row(frame, y, channels, row);
    if (!holds(row)) return false;
  }
  return true;
}

// The common formats have their alpha in the top byte of a word.
bool top_bytes_are_full(ByteView words) {
  std::uint32_t all = 0xffffffff;
  for (std::size_t i = 0; i < words.size(); i += 4) all &= load_le<std::uint32_t>(&words[i]);
  return all >> 24 == 0xff;
}

}  // namespace

RawFrame Picture::frame() const {
  return {.width = width,
          .height = height,
          .format = channels == Channels::rgb ? PixelFormat::rgb_888 : PixelFormat::rgba_8888,
          .colorspace = 0,
          .pixels = pixels};
}

Result<void> check_frame(const RawFrame& frame) {
  const auto bad = [](const std::string& why) {
    return fail(errc::screenshot_capture_failed, "the captured frame " + why);
  };
  const std::size_t size = bytes_per_pixel(frame.format);
  const auto size_text = [&] {
    return std::to_string(frame.width) + "x" + std::to_string(frame.height);
  };
  if (size == 0)
    return bad("has unknown pixel format " +
               std::to_string(static_cast<std::uint32_t>(frame.format)));
  const auto in_range = [](std::uint32_t side) {
    return side >= 1 && side <= adbproto::kMaxFrameSide;
  };
  if (!in_range(frame.width) || !in_range(frame.height)) return bad("is " + size_text());
  if (frame.pixels.size() != std::size_t{frame.width} * frame.height * size)
    return bad("of " + size_text() + " has " + std::to_string(frame.pixels.size()) + " bytes");
  return {};
}

bool is_opaque(const RawFrame& frame) {
  switch (frame.format) {
    case PixelFormat::rgbx_8888:
    case PixelFormat::rgb_888:
    case PixelFormat::rgb_565: return true;
    case PixelFormat::rgba_8888:
    case PixelFormat::bgra_8888: return top_bytes_are_full(frame.pixels);
    default: break;
  }
  return all_rows(frame, Channels::rgba, top_bytes_are_full);
}

bool is_all_black(const RawFrame& frame) {
  return all_rows(frame, Channels::rgb, [](ByteView row) {
    return std::ranges::all_of(row, [](std::byte b) { return b == std::byte{0}; });
  });
}

void convert_row(const RawFrame& frame, std::uint32_t y, Channels channels,
                 std::span<std::byte> row) {
  const std::byte* from = row_of(frame, y).data();
  std::byte* to = row.data();
  const std::size_t count = frame.width;
  switch (frame.format) {
    using enum PixelFormat;
    case rgba_8888: return convert_to<rgba_8888>(channels, from, to, count);
    case rgbx_8888: return convert_to<rgbx_8888>(channels, from, to, count);
    case rgb_888: return convert_to<rgb_888>(channels, from, to, count);
    case rgb_565: return convert_to<rgb_565>(channels, from, to, count);
    case bgra_8888: return convert_to<bgra_8888>(channels, from, to, count);
    case rgba_fp16: return convert_to<rgba_fp16>(channels, from, to, count);
    case rgba_1010102: return convert_to<rgba_1010102>(channels, from, to, count);
  }
}

Picture to_picture(const RawFrame& frame, Channels channels) {
  const std::size_t row_size = frame.width * channel_count(channels);
  Picture picture{frame.width, frame.height, channels, {}};
  picture.pixels.resize(row_size * frame.height);
  for (std::uint32_t y = 0; y < frame.height; ++y)
    convert_row(frame, y, channels, std::span(picture.pixels).subspan(y * row_size, row_size));
  return picture;
}

namespace {

constexpr std::uint64_t kSeed = 0xcbf29ce484222325;
constexpr std::uint64_t kPrime = 0x100000001b3;

// FNV-1a over words instead of bytes, shifted so that their high bits count for the low ones.
std::uint64_t mix(std::uint64_t hash, ByteView bytes) {
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    hash = (hash ^ load_le<std::uint64_t>(bytes.data())) * kPrime;
    hash ^= hash >> 29;
  }
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * kPrime;
  return hash;
}

}  // namespace

std::uint32_t status_bar_rows(std::uint32_t width, std::uint32_t height) {
  return std::max(height / 20, std::min(width, height) / 16);
}

FrameTiles tiles_of(const adbproto::RawFrame& frame) {
  FrameTiles tiles{.width = frame.width, .height = frame.height, .black = is_all_black(frame)};
  const std::uint32_t top = status_bar_rows(frame.width, frame.height);
  const std::size_t columns = (frame.width + kTileSide - 1) / kTileSide;
  const std::size_t rows = (frame.height - top + kTileSide - 1) / kTileSide;
  const std::size_t pixel = adbproto::bytes_per_pixel(frame.format);
  const std::size_t line = frame.width * pixel;
  tiles.hashes.assign(columns * rows, kSeed);
  for (std::uint32_t y = top; y < frame.height; ++y) {
    const ByteView whole = frame.pixels.subspan(y * line, line);
    std::uint64_t* row = tiles.hashes.data() + (y - top) / kTileSide * columns;
    for (std::size_t x = 0; x < columns; ++x) {
      const std::size_t from = x * kTileSide * pixel;
      row[x] = mix(row[x], whole.subspan(from, std::min(kTileSide * pixel, line - from)));
    }
  }
  return tiles;
}

namespace {

// One target row being made: sums of 8.8 fixed-point row averages, weighted in vertical units.
// 2^16 * kMaxFrameSide fits 32 bits.
using Line = std::vector<std::uint32_t>;
static_assert(adbproto::kMaxFrameSide <= 1U << 14);

// Averages a row of source pixels to the target width, as 8.8 fixed point.
template <std::size_t channels>
void shrink_row(const std::vector<std::byte>& row, std::uint32_t from_width, Line& line) {
  const auto to_width = static_cast<std::uint32_t>(line.size() / channels);
  const std::byte* pixel = row.data();
  std::uint32_t left = to_width;  // units of *pixel not yet given away
  for (std::uint32_t x = 0; x < to_width; ++x) {
    std::uint32_t sum[channels] = {};
    std::uint32_t wanted = from_width;
    while (wanted > 0) {
      const std::uint32_t share = std::min(left, wanted);
      for (std::size_t c = 0; c < channels; ++c)
        sum[c] += share * std::to_integer<std::uint32_t>(pixel[c]);
      wanted -= share;
      left -= share;
      if (left > 0) continue;
      left = to_width;
      pixel += channels;
    }
    for (std::size_t c = 0; c < channels; ++c) line[x * channels + c] = (sum[c] << 8) / from_width;
  }
}

void add_weighted(Line& sums, const Line& line, std::uint32_t weight) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += line[i] * weight;
}

// Rounds the sums to bytes and starts the next row.
void finish_row(Line& sums, std::uint32_t total_weight, std::byte* to) {
  const std::uint32_t half = total_weight << 7;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    to[i] = static_cast<std::byte>(((sums[i] + half) / total_weight) >> 8);
    sums[i] = 0;
  }
}

}  // namespace

PictureSize fit(PictureSize size, std::uint32_t max_side) {
  const std::uint32_t longest = std::max(size.width, size.height);
  if (longest <= max_side) return size;
  const auto scaled = [&](std::uint32_t side) {
    const std::uint64_t rounded = (std::uint64_t{side} * max_side + longest / 2) / longest;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(rounded, 1));
  };
  return {scaled(size.width), scaled(size.height)};
}

Picture scale_down(const RawFrame& frame, PictureSize target) {
  const Channels channels = needed_channels(frame);
  const std::size_t row_size = target.width * channel_count(channels);
  Picture picture{target.width, target.height, channels, {}};
  picture.pixels.resize(row_size * target.height);
  std::vector<std::byte> row(frame.width * channel_count(channels));
  Line line(row_size);
  Line sums(row_size);
  std::byte* to = picture.pixels.data();
  std::uint32_t wanted = frame.height;  // units missing in the target row being made
  for (std::uint32_t y = 0; y < frame.height; ++y) {
    convert_row(frame, y, channels, row);
    if (channels == Channels::rgb) {
      shrink_row<3>(row, frame.width, line);
    } else {
      shrink_row<4>(row, frame.width, line);
    }
    for (std::uint32_t left = target.height; left > 0;) {
      const std::uint32_t share = std::min(left, wanted);
      add_weighted(sums, line, share);
      left -= share;
      wanted -= share;
      if (wanted > 0) continue;
      finish_row(sums, frame.height, to);
      to += row_size;
      wanted = frame.height;
    }
  }
  return picture;
}

}  // namespace clawperator
