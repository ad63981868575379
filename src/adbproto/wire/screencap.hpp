#pragma once
// The output of `screencap` without -p, and the pixel formats of Android frames.
//
//   offset 0  u32 width   offset 4  u32 height   offset 8  u32 format
//   offset 12 u32 colour space, since Android 8 or 9
//   then the rows, without padding
//
// Only the total length shows whether the fourth word is present.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class PixelFormat : std::uint32_t {
  rgba_8888 = 1,
  rgbx_8888 = 2,
  rgb_888 = 3,
  rgb_565 = 4,
  bgra_8888 = 5,
  rgba_fp16 = 0x16,
  rgba_1010102 = 0x2b,
};

// 0 for any other value.
std::size_t bytes_per_pixel(PixelFormat format);

// Twice the side of an 8K screen; the scaler's sums still fit 32 bits (runtime/image/frame.cpp).
inline constexpr std::uint32_t kMaxFrameSide = 16384;

struct RawFrame {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  PixelFormat format = PixelFormat::rgba_8888;
  std::uint32_t colorspace = 0;  // 0 unknown, 1 sRGB, 2 Display P3
  ByteView pixels{};             // a view of the decoded bytes
};

// Reads only the first words, with any format number; `pixels` stays empty. `protocol` for fewer
// than 12 bytes.
Result<RawFrame> read_screencap_header(ByteView first_bytes);

// Decodes a whole capture. `limit` for a side above kMaxFrameSide, `protocol` for a length that
// fits neither header.
Result<RawFrame> decode_screencap(ByteView whole);

// Where the picture begins behind lines of text: where stderr has no stream of its own, screencap's
// warnings come first. nullopt: not in these bytes, which may be too few.
std::optional<std::size_t> find_raw_frame(ByteView printed);
std::optional<std::size_t> find_png(ByteView printed);

// The size according to the first 16 bytes. The stream ends after exactly 12 + pixel_bytes or 16 +
// pixel_bytes; `likely_size` is the one that fits the fourth word.
struct ScreencapSize {
  std::size_t pixel_bytes = 0;
  std::size_t likely_size = 0;

  bool operator==(const ScreencapSize&) const = default;
};
inline constexpr std::size_t kScreencapHeaderSize = 16;
// Precondition: at least kScreencapHeaderSize bytes.
Result<ScreencapSize> expected_screencap_size(ByteView first_bytes);

// Checks without decoding that a PNG arrived whole: signature, IHDR first, the CRC of every chunk,
// IDAT, and IEND last; no side above kMaxFrameSide, and enough compressed bytes for its pixels.
//
//   89 'PNG' 0d 0a 1a 0a, then chunks: u32 length, 4 letters, data, u32 CRC of letters and data
// Integers are big endian. It keeps 12 bytes of state per image of any size.

class PngChecker {
 public:
  // After a failure the rest is ignored.
  void feed(ByteView bytes);
  // The verdict on all bytes: `protocol` with the fault.
  [[nodiscard]] Result<void> finish() const;

  // Known after IHDR; 0 before.
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::uint32_t height() const { return height_; }

  // False as soon as no further bytes can complete the image.
  [[nodiscard]] bool good() const { return !problem_; }

 private:
  enum class Stage { signature, chunk_header, chunk_data, chunk_crc, finished };

  bool collect(ByteView& bytes, std::size_t count);
  void check_signature();
  void start_chunk();
  void take_data(ByteView& bytes);
  void check_size();
  void end_chunk();
  void reject(std::string problem) { problem_ = std::move(problem); }

  Stage stage_ = Stage::signature;
  std::array<std::byte, 13> held_{};  // signature, chunk header, IHDR or CRC being collected
  std::size_t held_size_ = 0;
  std::uint32_t chunk_type_ = 0;
  std::uint32_t remaining_ = 0;  // missing data bytes of this chunk
  std::uint32_t crc_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  bool has_data_ = false;
  std::uint64_t data_size_ = 0;  // bytes of IDAT so far
  std::uint64_t raw_size_ = 0;   // the smallest size of the rows
  std::optional<std::string> problem_;
};

}  // namespace adbproto
