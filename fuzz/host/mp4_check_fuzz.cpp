// A video of a phone, judged while it passes. Invariants: the pieces make no difference, and what
// is whole has as many bytes as were given. The first byte is the size of the pieces.

#include "runtime/host/verbs/video.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

namespace {

std::optional<Mp4Facts> judge(ByteView file, std::size_t piece) {
  Mp4Check check;
  while (!file.empty()) {
    const ByteView first = file.first(std::min(piece, file.size()));
    if (!check.feed(first)) return std::nullopt;
    file = file.subspan(first.size());
  }
  const auto facts = check.finish();
  return facts ? std::optional(*facts) : std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView file(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const auto whole = judge(file, file.size());
  fuzz::require(whole == judge(file, std::size_t{data[0]} + 1));
  fuzz::require(!whole || (whole->bytes == file.size() && whole->tracks > 0));
  return 0;
}
