#pragma once
// The interface of every transport: an ordered stream of bytes.

#include "base/async/task.hpp"
#include "base/bytes.hpp"

namespace base {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads at least one byte; errc::closed at the orderly end of the stream, errc::io otherwise. One
  // reader at a time. Requires a non-empty `into`.
  virtual Task<std::size_t> read_some(std::span<std::byte> into) = 0;

  // Writes all bytes, or fails. One writer at a time; `bytes` must live until the task ends.
  virtual Task<void> write_all(ByteView bytes) = 0;

  // The number of bytes that have certainly been sent, also during a write. A stream that does not
  // count returns 0.
  [[nodiscard]] virtual std::uint64_t sent() { return 0; }

  // Idempotent. Pending operations end with errc::closed.
  virtual void close() = 0;
};

using ByteStreamPtr = std::unique_ptr<ByteStream>;

}  // namespace base
