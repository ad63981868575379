// Invariants: a decoded frame has as many pixels as it says and encodes back to the bytes it came
// from; the first 16 bytes agree with the whole.

#include "adbproto/wire/screencap.hpp"

#include "chunks.hpp"
#include "simdroid/userland/screencap_file.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const auto begin = find_raw_frame(bytes);
  if (begin) fuzz::require(read_screencap_header(bytes.subspan(*begin)).has_value());
  const auto frame = decode_screencap(bytes);
  if (!frame) return 0;
  fuzz::require(frame->pixels.size() ==
                std::size_t{frame->width} * frame->height * bytes_per_pixel(frame->format));
  const auto header = size - frame->pixels.size() == kScreencapHeaderSize
                          ? ScreencapHeader::words_4
                          : ScreencapHeader::words_3;
  fuzz::require(std::ranges::equal(encode_screencap(*frame, header), bytes));
  if (size >= kScreencapHeaderSize) {
    fuzz::require(expected_screencap_size(bytes)->pixel_bytes == frame->pixels.size());
  }
  return 0;
}
