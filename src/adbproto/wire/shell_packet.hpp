#pragma once
// Shell protocol v2: stdin, stdout, stderr and the exit status share one stream.
//
//   offset 0  u8   id
//   offset 1  u32  payload length, little endian
//   offset 5  ...  payload
//
// Packets are not aligned to the chunks of the stream. Packets with another id are skipped.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class ShellId : std::uint8_t {
  standard_in = 0,
  standard_out = 1,
  standard_err = 2,
  exit = 3,  // one byte: the status, or 0x80 | signal
  close_stdin = 4,
  window_size = 5,
};

struct WindowSize {
  unsigned rows = 0;
  unsigned columns = 0;
  unsigned x_pixels = 0;
  unsigned y_pixels = 0;

  bool operator==(const WindowSize&) const = default;
};

inline constexpr std::size_t kShellHeaderSize = 5;
inline constexpr std::size_t kMaxShellPayload = 1 << 20;  // adbd announces at most its MAX_PAYLOAD

using EncodedShellHeader = std::array<std::byte, kShellHeaderSize>;

// Precondition of both: the payload has at most kMaxShellPayload bytes.
EncodedShellHeader encode_shell_header(ShellId id, std::size_t payload_size);
Bytes encode_shell_packet(ShellId id, ByteView payload);
// A whole window_size packet.
Bytes encode_window_size(const WindowSize& size);

// A piece of a packet's payload. Every packet ends with one `last` piece, which may be empty.
struct ShellChunk {
  ShellId id{};
  ByteView piece{};
  bool last = false;
};

// Reads shell packets piece by piece: it neither waits for whole packets nor copies. feed() only
// borrows the bytes.
//
//   reader.feed(bytes);   // bytes must stay alive until next() has returned nullopt
//   while (auto chunk = next()) use(chunk->piece);
class ShellChunkReader {
 public:
  // Precondition: the bytes of the last feed() are used up.
  void feed(ByteView bytes) { input_ = bytes; }
  Result<std::optional<ShellChunk>> next();

  // True between packets, where alone a stream may end.
  [[nodiscard]] bool at_boundary() const { return header_size_ == 0 && input_.empty(); }

 private:
  Result<bool> read_header();

  ByteView input_;
  EncodedShellHeader header_{};
  std::size_t header_size_ = 0;  // the received bytes of header_
  std::size_t remaining_ = 0;    // missing payload bytes of the current packet
};

}  // namespace adbproto
