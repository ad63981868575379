#pragma once
// A pair of byte streams joined in memory: what one side writes the other reads.

#include <asio/any_io_executor.hpp>
#include <cstddef>
#include <utility>

#include "adbproto/link/byte_stream.hpp"

namespace adbproto {

// A writer waits while `capacity` bytes are unread. Closing one side ends the other after it has
// read what is left.
std::pair<ByteStreamPtr, ByteStreamPtr> make_memory_pair(const asio::any_io_executor& executor,
                                                         std::size_t capacity = 64 * 1024);

}  // namespace adbproto
