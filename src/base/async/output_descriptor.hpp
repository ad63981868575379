#pragma once
// Descriptors that are no links: a pipe, a terminal, or any file that a user names as an output.
// They are opened with O_NONBLOCK, so that a reader that stalls blocks only its writer.

#include <asio/awaitable.hpp>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace base {

// Waits until it takes more bytes; `descriptor` must stay open.
asio::awaitable<void> await_writable(int descriptor);

// How many bytes it took at once: 0 when it takes none now. errc::io carries the system's text.
Result<std::size_t> write_now(int descriptor, ByteView bytes);

}  // namespace base
