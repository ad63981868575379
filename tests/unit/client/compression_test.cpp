#include "adbproto/client/compression.hpp"

#include <catch2/catch.hpp>

#include "support/hex.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using adbproto::testing::noise;

namespace {

using Input = Transcoder::Input;

constexpr Compression kAll[] = {Compression::brotli, Compression::lz4, Compression::zstd};

// Everything through a transcoder: input in pieces of `piece`, output in spans of `room`.
Result<Bytes> through(Transcoder& transcoder, ByteView in, std::size_t piece, std::size_t room,
                      std::size_t limit = 8 << 20) {
  Bytes all;
  Bytes out(room);
  ByteView fed;
  for (;;) {
    if (fed.empty()) {
      fed = in.first(std::min(piece, in.size()));
      in = in.subspan(fed.size());
    }
    const bool last = in.empty();
    TRY(const auto step, transcoder.step(fed, last ? Input::last : Input::more, out));
    append(all, ByteView(out).first(step.made));
    fed = fed.subspan(step.taken);
    if (step.ended) return all;
    if (last && fed.empty() && step.made == 0) return fail(errc::closed, "input ended");
    if (all.size() > limit) return fail(errc::limit, "too much came out");
  }
}

Bytes packed(Compression compression, ByteView plain) {
  const auto encoder = make_encoder(compression);
  return through(*encoder, plain, 1 << 20, 1 << 16).value();
}

Bytes sample(int which) {
  if (which == 0) return {};
  if (which == 1) return to_bytes("hello");
  if (which == 2) return noise(300'000);
  return Bytes(1'000'000, std::byte{'a'});
}

}  // namespace

TEST_CASE("compression: what was packed comes back, whatever the pieces") {
  const auto compression = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const Bytes plain = sample(GENERATE(0, 1, 2, 3));
  const Bytes frame = packed(compression, plain);
  const std::size_t piece = GENERATE(std::size_t{1000}, std::size_t{65536}, std::size_t{1} << 22);
  const std::size_t room = GENERATE(std::size_t{7}, std::size_t{4096}, std::size_t{1} << 18);
  const auto decoder = make_decoder(compression);
  CHECK(through(*decoder, frame, piece, room).value() == plain);
}

TEST_CASE("compression: small outputs make the same frame") {
  const auto compression = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const Bytes plain = noise(200'000);
  const auto encoder = make_encoder(compression);
  const Bytes frame = through(*encoder, plain, 50'000, 100).value();
  const auto decoder = make_decoder(compression);
  CHECK(through(*decoder, frame, 1 << 20, 1 << 20).value() == plain);
}

// As zstd 1.5 and lz4 1.9 print "hello\n"; brotli's by hand from RFC 7932: an uncompressed block.
TEST_CASE("compression: frames of the tools are read") {
  const auto [compression, frame] = GENERATE(table<Compression, const char*>({
      {Compression::zstd, "28b52ffd0458310000 68656c6c6f0a 5388bd91"},
      {Compression::brotli, "8b0280 68656c6c6f0a 03"},
      {Compression::lz4, "04224d186440a7 06000080 68656c6c6f0a 00000000 f95b6b94"},
  }));
  const auto decoder = make_decoder(compression);
  CHECK(as_text(through(*decoder, adbproto::testing::from_hex(frame), 3, 64).value()) == "hello\n");
}

TEST_CASE("compression: a bomb expands no further than its reader wants") {
  const auto compression = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const Bytes bomb = packed(compression, Bytes(64 << 20));
  CHECK(bomb.size() < 1 << 20);
  const auto decoder = make_decoder(compression);
  Bytes out(4096);
  const auto step = decoder->step(bomb, Input::last, out);
  REQUIRE(step);
  CHECK(step->made <= out.size());
  CHECK_FALSE(step->ended);
}

TEST_CASE("compression: garbage is a protocol error, a cut frame never ends") {
  const auto compression = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const Bytes garbage = noise(4096, 77);
  const auto decoder = make_decoder(compression);
  const auto read = through(*decoder, garbage, 4096, 4096);
  REQUIRE_FALSE(read);
  CHECK(read.error().code() == errc::protocol);

  const Bytes frame = packed(compression, noise(10'000));
  const auto cut = make_decoder(compression);
  CHECK(through(*cut, ByteView(frame).first(frame.size() - 1), 4096, 65536).error().code() ==
        errc::closed);
}

TEST_CASE("compression: zstd formats from before its first release are not read") {
  const auto decoder = make_decoder(Compression::zstd);
  const Bytes frame = adbproto::testing::from_hex("27b52ffd 02000000 00000000");
  CHECK(through(*decoder, frame, GENERATE(std::size_t{1}, std::size_t{64}), 64).error().code() ==
        errc::protocol);
}

TEST_CASE("compression: bytes behind the frame are a protocol error") {
  const auto compression = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  Bytes frame = packed(compression, to_bytes("hello"));
  const auto decoder = make_decoder(compression);
  Bytes out(64);
  ByteView left = frame;
  for (bool ended = false; !ended;) {
    const auto step = decoder->step(left, Input::more, out).value();
    left = left.subspan(step.taken);
    ended = step.ended;
  }
  CHECK(decoder->step(as_bytes("x"), Input::more, out).error().code() == errc::protocol);
}

TEST_CASE("compression: the best that both sides have is chosen") {
  const FeatureSet all{"sendrecv_v2", "sendrecv_v2_zstd", "sendrecv_v2_lz4", "sendrecv_v2_brotli"};
  const FeatureSet old{"sendrecv_v2", "sendrecv_v2_brotli"};
  const FeatureSet none{"sendrecv_v2_zstd"};
  CHECK(choose_compression(Compression::any, all) == Compression::zstd);
  CHECK(choose_compression(Compression::lz4, all) == Compression::lz4);
  CHECK(choose_compression(Compression::none, all) == Compression::none);
  CHECK(choose_compression(Compression::any, old) == Compression::brotli);
  CHECK(choose_compression(Compression::zstd, old) == Compression::none);
  CHECK(choose_compression(Compression::any, none) == Compression::none);
}

TEST_CASE("compression: flags name one compressor") {
  CHECK(compression_flag(Compression::brotli) == 1);
  CHECK(compression_flag(Compression::lz4) == 2);
  CHECK(compression_flag(Compression::zstd) == 4);
  CHECK(compression_flag(Compression::none) == 0);
  CHECK(compression_of_flags(0) == Compression::none);
  CHECK(compression_of_flags(4) == Compression::zstd);
  CHECK_FALSE(compression_of_flags(3));
  CHECK_FALSE(compression_of_flags(8));
}
