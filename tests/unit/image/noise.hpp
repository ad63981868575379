#pragma once
// Pixels that compress badly and differ everywhere, the same in every run.

#include <cstdint>
#include <random>

#include "runtime/image/frame.hpp"

namespace clawperator::test {

inline Picture noise(std::uint32_t width, std::uint32_t height, Channels channels) {
  Picture picture{width, height, channels, {}};
  std::mt19937 random(width * 31 + height);
  picture.pixels.resize(std::size_t{width} * height * channel_count(channels));
  for (auto& byte : picture.pixels) byte = static_cast<std::byte>(random());
  return picture;
}

inline Picture flat(std::uint32_t width, std::uint32_t height, std::uint8_t red, std::uint8_t green,
                    std::uint8_t blue) {
  Picture picture{width, height, Channels::rgb, {}};
  for (std::size_t i = 0; i < std::size_t{width} * height; ++i)
    for (const auto value : {red, green, blue}) picture.pixels.push_back(std::byte{value});
  return picture;
}

}  // namespace clawperator::test
