#pragma once
// The compressors of sync v2, streamed: one frame per file, cut into DATA records as it comes out.
//
//   plain --step()--> compressed --DATA, DATA, ..--> compressed --step()--> plain
//
// Output is bounded by the span it goes to, so a bomb expands piece by piece.

#include "adbproto/wire/banner.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

// `any` is the best of zstd, lz4 and brotli that the device supports.
enum class Compression { none, any, brotli, lz4, zstd };

// none, any, brotli, lz4, zstd: the names of the option.
std::optional<Compression> parse_compression(std::string_view name);
// The compressor for a device with these features; `none` without sendrecv_v2.
Compression choose_compression(Compression wanted, const FeatureSet& features);
// The SND2 and RCV2 flag; 0 for none. nullopt if a peer's `flags` do not name exactly one
// compressor.
std::uint32_t compression_flag(Compression compression);
std::optional<Compression> compression_of_flags(std::uint32_t flags);

class Transcoder {
 public:
  enum class Input { more, last };  // whether more bytes follow after `in`
  struct Step {
    std::size_t taken = 0;
    std::size_t made = 0;
    bool ended = false;  // the frame is complete and its whole output is written
  };

  virtual ~Transcoder() = default;
  // Progress on at least one side, unless both are at their end. Corrupt input is `protocol`.
  virtual Result<Step> step(ByteView in, Input input, std::span<std::byte> out) = 0;
};

// Not for `any`. `none` copies.
std::unique_ptr<Transcoder> make_encoder(Compression compression);
std::unique_ptr<Transcoder> make_decoder(Compression compression);

}  // namespace adbproto
