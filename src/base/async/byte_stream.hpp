#pragma once
// The interface of every transport: an ordered stream of bytes.

#include "base/async/task.hpp"
#include "base/bytes.hpp"

namespace base {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads at least one byte. One reader at a time. Requires a non-empty `into`.
  //
  // An implementation returns errc::closed at the orderly end of the stream and after close(). Any
  // other error means that the stream is unusable, for writes, too: io (the system), link_lost (the
  // link below the stream), protocol, limit, deadline_exceeded (the peer broke a rule of the
  // transport). A cancelled operation ends with errc::cancelled or by an exception.
  virtual Task<std::size_t> read_some(std::span<std::byte> into) = 0;

  // Writes all bytes, or fails. One writer at a time; `bytes` must live until the task ends.
  virtual Task<void> write_all(ByteView bytes) = 0;

  // The number of bytes that have certainly been sent, also during a write. TCP counts a byte when
  // the peer has acknowledged it. A stream that does not count (USB) returns 0.
  [[nodiscard]] virtual std::uint64_t sent() { return 0; }

  // Idempotent. Pending operations end with errc::closed.
  virtual void close() = 0;
};

using ByteStreamPtr = std::unique_ptr<ByteStream>;

}  // namespace base
