#include "runtime/image/scale.hpp"

#include <algorithm>
#include <vector>

namespace clawperator {
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
