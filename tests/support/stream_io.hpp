#pragma once
// Reading whole answers, and bytes worth reading.

#include <string>

#include "base/async/byte_stream.hpp"

namespace adbproto::testing {

inline Task<Bytes> read_exactly(ByteStream* stream, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t at = 0; at < size;) {
    CO_TRY(const std::size_t got, co_await stream->read_some(std::span(bytes).subspan(at)));
    at += got;
  }
  co_return bytes;
}

inline Task<std::string> read_text(ByteStream* stream, std::size_t size) {
  CO_TRY(const Bytes bytes, co_await read_exactly(stream, size));
  co_return std::string(as_text(bytes));
}

// Until errc::closed; any other end is an error.
inline Task<std::string> read_to_end(ByteStream* stream) {
  std::string text;
  Bytes buffer(64 * 1024);
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size && size.error().code() == errc::closed) co_return text;
    if (!size) co_return std::unexpected(size.error());
    text += as_text(ByteView(buffer).first(*size));
  }
}

// The same bytes for the same seed, no two places alike.
inline Bytes noise(std::size_t size, std::uint32_t seed = 1) {
  Bytes bytes(size);
  for (auto& byte : bytes) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

}  // namespace adbproto::testing
