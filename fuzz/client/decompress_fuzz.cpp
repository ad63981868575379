// Whatever a peer calls compressed: no crash, never more output than asked for, and the same plain
// bytes and verdict whether it arrives whole or byte by byte (zstd: the same bytes if both
// succeed). The first byte chooses the compressor.

#include <cstdlib>

#include "adbproto/client/compression.hpp"

using namespace adbproto;

namespace {

constexpr std::size_t kEnough = 1 << 20;

struct Outcome {
  Bytes plain;
  bool ended = false;
  bool failed = false;
  bool operator==(const Outcome&) const = default;
};

Outcome decode(Compression compression, ByteView in, std::size_t piece) {
  const auto decoder = make_decoder(compression);
  Outcome outcome;
  Bytes out(4096);
  while (!outcome.ended && outcome.plain.size() < kEnough) {
    const ByteView fed = in.first(std::min(piece, in.size()));
    const auto step = decoder->step(fed, Transcoder::Input::more, out);
    outcome.failed = !step;
    if (!step) break;
    if (step->made > out.size() || step->taken > fed.size()) std::abort();
    append(outcome.plain, ByteView(out).first(step->made));
    in = in.subspan(step->taken);
    outcome.ended = step->ended;
    if (in.empty() && step->made < out.size()) break;
    if (step->taken == 0 && step->made == 0) break;
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr Compression kAll[] = {Compression::brotli, Compression::lz4, Compression::zstd};
  const Compression compression = kAll[data[0] % 3];
  const ByteView in = std::as_bytes(std::span(data + 1, size - 1));
  const Outcome whole = decode(compression, in, in.size());
  const Outcome split = decode(compression, in, 1);
  // What came out before an error was found depends on how much was looked at. libzstd reads a
  // frame that lies whole before it by a shorter way, which lets some pass that the longer one
  // refuses.
  const bool has_one_way = compression != Compression::zstd;
  if (has_one_way && whole.failed != split.failed && whole.ended != split.ended) std::abort();
  if (!whole.failed && !split.failed && whole.plain.size() < kEnough && whole != split)
    std::abort();
  return 0;
}
