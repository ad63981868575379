#pragma once
// Whole packets of the shell protocol, for tests that do not need their pieces.

#include <optional>
#include <string>

#include "adbproto/wire/shell_packet.hpp"
#include "base/byte_queue.hpp"

namespace adbproto {

struct ShellPacket {
  ShellId id{};
  Bytes payload{};

  bool operator==(const ShellPacket&) const = default;
};

// Cuts a byte stream into packets. Chunk borders carry no meaning; an error is final.
class ShellPacketReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  // nullopt: more bytes are needed. Packets of an unknown id are skipped.
  Result<std::optional<ShellPacket>> next() {
    for (;;) {
      const ByteView bytes = queue_.view();
      if (bytes.size() < kShellHeaderSize) return std::nullopt;
      const std::size_t size = load_le<std::uint32_t>(&bytes[1]);
      if (size > kMaxShellPayload) {
        return fail(errc::limit, "shell packet of " + std::to_string(size) + " bytes");
      }
      if (bytes.size() < kShellHeaderSize + size) return std::nullopt;
      const ByteView payload = bytes.subspan(kShellHeaderSize, size);
      ShellPacket packet{static_cast<ShellId>(bytes[0]), {payload.begin(), payload.end()}};
      queue_.consume(kShellHeaderSize + size);
      if (packet.id <= ShellId::window_size) return packet;
    }
  }

  // Bytes fed but not yet returned; nonzero at the end of the stream means a cut packet.
  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }

 private:
  ByteQueue queue_;
};

}  // namespace adbproto
