#pragma once
// Descriptors that are no links: a pipe, a terminal, or any file that a user names as output. They
// are opened with O_NONBLOCK, so that a slow reader blocks only its writer.

#include <asio/awaitable.hpp>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace base {

// Waits until the descriptor takes more bytes; it must stay open.
asio::awaitable<void> await_writable(int descriptor);

// Returns the number of bytes written at once: 0 if it takes none now. errc::io has the system's
// text.
Result<std::size_t> write_now(int descriptor, ByteView bytes);

}  // namespace base
