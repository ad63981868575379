#include "runtime/image/tiles.hpp"

#include <algorithm>

namespace clawperator {
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

}  // namespace clawperator
