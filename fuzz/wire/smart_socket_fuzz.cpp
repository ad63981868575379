// Invariants: blocks, requests, statuses and replies of every shape do not depend on the cuts;
// blocks encode back to the same bytes, the case of their digits excepted.

#include "adbproto/wire/smart_socket.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  fuzz::read_any_way(StatusReader(), bytes);
  fuzz::read_any_way(RequestReader(), bytes);
  for (const auto shape : {ReplyShape::pipe, ReplyShape::text, ReplyShape::u64,
                           ReplyShape::second_status, ReplyShape::blocks, ReplyShape::none}) {
    fuzz::read_any_way(ReplyReader(shape), bytes);
  }
  for (const auto& block : fuzz::read_any_way(BlockReader(), bytes).items) {
    const Bytes again = encode_block(block);
    bytes = bytes.subspan(4);
    fuzz::require_next(bytes, ByteView(again).subspan(4));
  }
  return 0;
}
