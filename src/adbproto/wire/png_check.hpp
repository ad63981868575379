#pragma once
// Tells whether a PNG arrived whole, without decoding it: signature, IHDR first, the CRC of every
// chunk, IDAT, and IEND last.
//
//   89 'PNG' 0d 0a 1a 0a, then chunks: u32 length, 4 letters, data, u32 CRC of letters and data
// Integers are big endian. Keeps 12 bytes of state per image, whatever its size.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

class PngChecker {
 public:
  // After a failure the rest is ignored.
  void feed(ByteView bytes);
  // The verdict on everything fed: `protocol`, naming what is wrong or missing.
  [[nodiscard]] Result<void> finish() const;

  // Known after IHDR, 0 before.
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::uint32_t height() const { return height_; }

  // False as soon as nothing that follows can make this a whole image.
  [[nodiscard]] bool good() const { return !problem_; }

 private:
  enum class Stage { signature, chunk_header, chunk_data, chunk_crc, finished };

  bool collect(ByteView& bytes, std::size_t count);
  void check_signature();
  void start_chunk();
  void take_data(ByteView& bytes);
  void end_chunk();
  void reject(std::string problem) { problem_ = std::move(problem); }

  Stage stage_ = Stage::signature;
  std::array<std::byte, 13> held_{};  // signature, chunk header, IHDR or CRC being collected
  std::size_t held_size_ = 0;
  std::uint32_t chunk_type_ = 0;
  std::uint32_t remaining_ = 0;  // data bytes of this chunk still to come
  std::uint32_t crc_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  bool has_data_ = false;
  std::optional<std::string> problem_;
};

}  // namespace adbproto
