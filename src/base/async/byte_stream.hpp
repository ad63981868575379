#pragma once
// The interface of every transport: an ordered stream of bytes.

#include "base/async/task.hpp"
#include "base/bytes.hpp"

namespace base {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // At least one byte, or errc::closed at the orderly end of the stream, errc::io otherwise.
  // One reader at a time. Requires a non-empty `into`.
  virtual Task<std::size_t> read_some(std::span<std::byte> into) = 0;

  // All of it, or an error. One writer at a time; `bytes` must live until the task ends.
  virtual Task<void> write_all(ByteView bytes) = 0;

  // How many bytes are known to have been sent so far, also while a write is under way. A stream
  // that does not count stays at 0.
  [[nodiscard]] virtual std::uint64_t sent() { return 0; }

  // Idempotent. Pending operations end with errc::closed.
  virtual void close() = 0;
};

using ByteStreamPtr = std::unique_ptr<ByteStream>;

}  // namespace base
