// Invariants: blocks, statuses and replies of every shape do not depend on the cuts; blocks hold
// the bytes behind their digits.

#include "adbproto/wire/smart_socket.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  fuzz::read_any_way(StatusReader(), bytes);
  for (const auto shape : {ReplyShape::text, ReplyShape::second_status, ReplyShape::none}) {
    fuzz::read_any_way(ReplyReader(shape), bytes);
  }
  for (const auto& block : fuzz::read_any_way(BlockReader(), bytes).items) {
    bytes = bytes.subspan(4);
    fuzz::require_next(bytes, as_bytes(block));
  }
  return 0;
}
