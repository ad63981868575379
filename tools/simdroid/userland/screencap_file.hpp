#pragma once
// The output of `screencap` without -p (adbproto/wire/screencap.hpp).

#include "adbproto/wire/screencap.hpp"

namespace adbproto {

enum class ScreencapHeader { words_3, words_4 };

inline Bytes encode_screencap(const RawFrame& frame,
                              ScreencapHeader header = ScreencapHeader::words_4) {
  Bytes out;
  out.reserve(kScreencapHeaderSize + frame.pixels.size());
  append_le(out, frame.width);
  append_le(out, frame.height);
  append_le(out, static_cast<std::uint32_t>(frame.format));
  if (header == ScreencapHeader::words_4) append_le(out, frame.colorspace);
  append(out, frame.pixels);
  return out;
}

}  // namespace adbproto
