#include "adbproto/wire/shell_packet.hpp"

#include <algorithm>
#include <cassert>

namespace adbproto {
namespace {

// Packets of a later version of the protocol are skipped.
bool is_known(ShellId id) { return id <= ShellId::window_size; }

}  // namespace

EncodedShellHeader encode_shell_header(ShellId id, std::size_t payload_size) {
  assert(payload_size <= kMaxShellPayload);
  EncodedShellHeader header;
  header[0] = static_cast<std::byte>(id);
  store_le(&header[1], static_cast<std::uint32_t>(payload_size));
  return header;
}

Bytes encode_shell_packet(ShellId id, ByteView payload) {
  const auto header = encode_shell_header(id, payload.size());
  Bytes out;
  out.reserve(header.size() + payload.size());
  append(out, header);
  append(out, payload);
  return out;
}

Bytes encode_window_size(const WindowSize& size) {
  const std::string text = std::to_string(size.rows) + "x" + std::to_string(size.columns) + "," +
                           std::to_string(size.x_pixels) + "x" + std::to_string(size.y_pixels);
  return encode_shell_packet(ShellId::window_size, as_bytes(text));
}

Result<std::optional<ShellChunk>> ShellChunkReader::next() {
  for (;;) {
    if (header_size_ < kShellHeaderSize) {
      TRY(const bool started, read_header());
      if (!started) return std::nullopt;
    }
    if (remaining_ > 0 && input_.empty()) return std::nullopt;
    const std::size_t count = std::min(remaining_, input_.size());
    const ShellChunk chunk{static_cast<ShellId>(header_[0]), input_.first(count),
                           count == remaining_};
    input_ = input_.subspan(count);
    remaining_ -= count;
    if (chunk.last) header_size_ = 0;
    if (is_known(chunk.id)) return chunk;
  }
}

Result<bool> ShellChunkReader::read_header() {
  const std::size_t count = std::min(kShellHeaderSize - header_size_, input_.size());
  std::ranges::copy(input_.first(count), &header_[header_size_]);
  if (header_size_ + count < kShellHeaderSize) {
    header_size_ += count;
    input_ = {};
    return false;
  }
  remaining_ = load_le<std::uint32_t>(&header_[1]);
  if (remaining_ > kMaxShellPayload) {
    return fail(errc::limit, "shell packet of " + std::to_string(remaining_) + " bytes");
  }
  header_size_ = kShellHeaderSize;
  input_ = input_.subspan(count);
  return true;
}

}  // namespace adbproto
