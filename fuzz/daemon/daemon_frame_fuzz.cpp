// Invariants: frames and verdict do not depend on the cuts; frames encode back to the bytes they
// came from; what they hold is read or refused, and a request or an error that is read is read the
// same when it is written again.

#include "runtime/daemon/frame.hpp"
#include "runtime/daemon/messages.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::daemon;
using namespace adbproto;

namespace {

constexpr std::size_t kMost = 4096;

void check_messages(const std::string& text) {
  if (const auto asked = decode_request(text)) {
    const std::string written = encode_request(asked->surface, asked->request, {});
    const auto again = decode_request(written);
    fuzz::require(again && encode_request(again->surface, again->request, {}) == written);
  }
  if (const auto error = decode_error(text)) {
    const std::string written = encode_error(*error);
    const auto again = decode_error(written);
    fuzz::require(again && encode_error(*again) == written);
  }
  if (const auto result = decode_result(text)) {
    const std::string written = encode_result(*result);
    const auto again = decode_result(written);
    fuzz::require(again && encode_result(*again) == written);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  const auto read = fuzz::read_any_way(FrameReader(kMost), bytes);
  for (const Frame& frame : read.items) {
    fuzz::require_next(bytes, as_bytes(encode_frame(frame.kind, frame.payload)));
    check_messages(frame.payload);
  }
  return 0;
}
