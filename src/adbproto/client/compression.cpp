#include "adbproto/client/compression.hpp"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>

#include "adbproto/wire/sync.hpp"
#include "base/loaded_library.hpp"

// clang-format off
#define ADBPROTO_ZSTD(X)                                                                        \
  X(ZSTD_CCtx_setParameter) X(ZSTD_compress2) X(ZSTD_compressStream2) X(ZSTD_createCCtx)        \
  X(ZSTD_createDCtx) X(ZSTD_decompressStream) X(ZSTD_freeCCtx) X(ZSTD_freeDCtx)                 \
  X(ZSTD_getErrorName) X(ZSTD_isError)
#define ADBPROTO_BROTLI_ENCODER(X)                                                              \
  X(BrotliEncoderCompressStream) X(BrotliEncoderCreateInstance)                                 \
  X(BrotliEncoderDestroyInstance) X(BrotliEncoderIsFinished) X(BrotliEncoderSetParameter)
#define ADBPROTO_BROTLI_DECODER(X)                                                              \
  X(BrotliDecoderCreateInstance) X(BrotliDecoderDecompressStream) X(BrotliDecoderDestroyInstance)
// clang-format on

namespace adbproto {
namespace {

// libzstd as pointers. It is loaded with the first compressed file, and its functions are called
// only after load_zstd(). We use the shared library, because only it compresses on its own threads.
ADBPROTO_ZSTD(LOADED_DEFINE)

Result<void> load_zstd() {
  static const Result<void> kLoaded = [] {
    LoadedLibrary library("libzstd.so.1");
    ADBPROTO_ZSTD(LOADED_BIND)
    return library.complete("libzstd1");
  }();
  return kLoaded;
}

// brotli, for phones without a better compressor (Android 11). Its dictionary and encoder would add
// half a megabyte to this program.
ADBPROTO_BROTLI_ENCODER(LOADED_DEFINE)
ADBPROTO_BROTLI_DECODER(LOADED_DEFINE)

Result<void> load_brotli() {
  static const Result<void> kLoaded = []() -> Result<void> {
    {
      LoadedLibrary library("libbrotlienc.so.1");
      ADBPROTO_BROTLI_ENCODER(LOADED_BIND)
      TRY_VOID(library.complete("libbrotli1"));
    }
    LoadedLibrary library("libbrotlidec.so.1");
    ADBPROTO_BROTLI_DECODER(LOADED_BIND)
    return library.complete("libbrotli1");
  }();
  return kLoaded;
}

constexpr int kZstdLevel = 1;
// Threads compress beside the caller. A smaller file, or one that does not shrink, takes longer to
// hand over than to copy.
constexpr int kZstdThreads = 2;
constexpr std::size_t kParallelFrom = 256 * 1024;
constexpr std::size_t kSampleSize = 64 * 1024;
constexpr int kBrotliQuality = 1;
constexpr std::size_t kLz4Block = 256 * 1024;  // plain bytes compressed at a time

// Blocks that do not refer to the one before: a tenth faster than linked ones of 64 KiB, and source
// text becomes 2 % larger (10 % with independent blocks of 64 KiB).
constexpr LZ4F_preferences_t lz4_preferences() {
  LZ4F_preferences_t chosen{};
  chosen.frameInfo.blockSizeID = LZ4F_max256KB;
  chosen.frameInfo.blockMode = LZ4F_blockIndependent;
  chosen.autoFlush = 1;
  return chosen;
}
constexpr LZ4F_preferences_t kLz4Preferences = lz4_preferences();

constexpr std::byte kZstdMagic[] = {std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f},
                                    std::byte{0xfd}};

struct Named {
  Compression compression;
  std::string_view name;
  std::string_view feature;
  std::uint32_t flag;
};
// Best first.
constexpr Named kCompressions[] = {
    {Compression::zstd, "zstd", "sendrecv_v2_zstd", sync_flag::kZstd},
    {Compression::lz4, "lz4", "sendrecv_v2_lz4", sync_flag::kLz4},
    {Compression::brotli, "brotli", "sendrecv_v2_brotli", sync_flag::kBrotli},
};

std::unexpected<Error> corrupt(std::string_view name) {
  return fail(errc::protocol, "corrupt " + std::string(name) + " data");
}

template <class State, auto Free>
struct Deleter {
  void operator()(State* state) const { Free(state); }
};
template <class State, auto Free>
using Handle = std::unique_ptr<State, Deleter<State, Free>>;

// The error of a missing library, or of a failed allocation.
Error unusable(const Result<void>& loaded) {
  return loaded ? Error(errc::limit, "no memory for the compressor") : loaded.error();
}

// A frame that has ended takes no more input: bytes behind it are an error of the peer.
Result<Transcoder::Step> after_end(ByteView in, std::string_view name) {
  if (!in.empty())
    return fail(errc::protocol, "data behind the end of a " + std::string(name) + " frame");
  return Transcoder::Step{0, 0, true};
}

class Copy final : public Transcoder {
 public:
  Result<Step> step(ByteView in, Input input, std::span<std::byte> out) override {
    const std::size_t size = std::min(in.size(), out.size());
    std::copy_n(in.begin(), size, out.begin());
    return Step{size, size, input == Input::last && size == in.size()};
  }
};

struct FreeZstd {
  void operator()(ZSTD_CCtx* state) const { ZSTD_freeCCtx(state); }
  void operator()(ZSTD_DCtx* state) const { ZSTD_freeDCtx(state); }
};

class ZstdEncoder final : public Transcoder {
 public:
  ZstdEncoder() {
    if (!load_zstd()) return;
    state_.reset(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_compressionLevel, kZstdLevel);
  }

  Result<Step> step(ByteView in, Input input, std::span<std::byte> out) override {
    if (!state_) return std::unexpected(unusable(load_zstd()));
    if (!std::exchange(begun_, true) && in.size() >= kParallelFrom && shrinks(in)) {
      ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_nbWorkers, kZstdThreads);
    }
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const auto mode = input == Input::last ? ZSTD_e_end : ZSTD_e_continue;
    const std::size_t left = ZSTD_compressStream2(state_.get(), &to, &from, mode);
    if (ZSTD_isError(left)) return fail(errc::io, ZSTD_getErrorName(left));
    return Step{from.pos, to.pos, input == Input::last && left == 0};
  }

 private:
  // A guess from the first bytes.
  bool shrinks(ByteView in) {
    const ByteView sample = in.first(kSampleSize);
    Bytes out(ZSTD_COMPRESSBOUND(kSampleSize));
    const std::size_t size =
        ZSTD_compress2(state_.get(), out.data(), out.size(), sample.data(), sample.size());
    return !ZSTD_isError(size) && size < kSampleSize - kSampleSize / 16;
  }

  std::unique_ptr<ZSTD_CCtx, FreeZstd> state_;
  bool begun_ = false;
};

class ZstdDecoder final : public Transcoder {
 public:
  ZstdDecoder() {
    if (load_zstd()) state_.reset(ZSTD_createDCtx());
  }

  Result<Step> step(ByteView in, Input, std::span<std::byte> out) override {
    if (!state_) return std::unexpected(unusable(load_zstd()));
    if (ended_) return after_end(in, "zstd");
    if (!begins_as_frame(in)) return corrupt("zstd");
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_decompressStream(state_.get(), &to, &from);
    if (ZSTD_isError(left)) return corrupt("zstd");
    ended_ = left == 0;
    magic_seen_ = std::min(magic_seen_ + from.pos, std::size(kZstdMagic));
    return Step{from.pos, to.pos, ended_};
  }

 private:
  // The library would also read formats that were dropped before adb began to compress.
  [[nodiscard]] bool begins_as_frame(ByteView in) const {
    const std::size_t size = std::min(in.size(), std::size(kZstdMagic) - magic_seen_);
    return std::equal(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(size),
                      std::begin(kZstdMagic) + magic_seen_);
  }

  std::size_t magic_seen_ = 0;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> state_;
  bool ended_ = false;
};

// LZ4F writes only where a whole block has room, so its output goes through a buffer of ours.
class Lz4Encoder final : public Transcoder {
 public:
  Lz4Encoder() : state_(make_state()) {}

  Result<Step> step(ByteView in, Input input, std::span<std::byte> out) override {
    Step step;
    while (step.made < out.size()) {
      const std::size_t size = std::min(pending_.size(), out.size() - step.made);
      std::copy_n(pending_.begin(), size, out.begin() + static_cast<std::ptrdiff_t>(step.made));
      pending_ = pending_.subspan(size);
      step.made += size;
      if (!pending_.empty()) break;
      if (ended_ || (input == Input::more && step.taken == in.size())) break;
      const ByteView block = in.subspan(step.taken, std::min(in.size() - step.taken, kLz4Block));
      TRY_VOID(refill(block));
      step.taken += block.size();
    }
    step.ended = ended_ && pending_.empty();
    return step;
  }

 private:
  static LZ4F_cctx* make_state() {
    LZ4F_cctx* state = nullptr;
    LZ4F_createCompressionContext(&state, LZ4F_VERSION);
    return state;
  }

  // The next part of the frame: its head, a block, or (nothing left) its end.
  Result<void> refill(ByteView block) {
    const std::span<std::byte> room = room_;
    std::size_t head = 0;
    if (!std::exchange(begun_, true)) {
      head = LZ4F_compressBegin(state_.get(), room.data(), room.size(), &kLz4Preferences);
      if (LZ4F_isError(head)) return fail(errc::io, LZ4F_getErrorName(head));
    }
    const std::span<std::byte> body = room.subspan(head);
    ended_ = block.empty();
    const std::size_t size = ended_
                                 ? LZ4F_compressEnd(state_.get(), body.data(), body.size(), nullptr)
                                 : LZ4F_compressUpdate(state_.get(), body.data(), body.size(),
                                                       block.data(), block.size(), nullptr);
    if (LZ4F_isError(size)) return fail(errc::io, LZ4F_getErrorName(size));
    pending_ = room.first(head + size);
    return ok();
  }

  Handle<LZ4F_cctx, LZ4F_freeCompressionContext> state_;
  Bytes room_ = Bytes(LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(kLz4Block, &kLz4Preferences));
  ByteView pending_{};  // of room_, not yet returned
  bool begun_ = false;
  bool ended_ = false;
};

class Lz4Decoder final : public Transcoder {
 public:
  Lz4Decoder() : state_(make_state()) {}

  Result<Step> step(ByteView in, Input, std::span<std::byte> out) override {
    if (ended_) return after_end(in, "lz4");
    std::size_t taken = in.size();
    std::size_t made = out.size();
    const std::size_t hint =
        LZ4F_decompress(state_.get(), out.data(), &made, in.data(), &taken, nullptr);
    if (LZ4F_isError(hint)) return corrupt("lz4");
    ended_ = hint == 0;
    return Step{taken, made, ended_};
  }

 private:
  static LZ4F_dctx* make_state() {
    LZ4F_dctx* state = nullptr;
    LZ4F_createDecompressionContext(&state, LZ4F_VERSION);
    return state;
  }
  Handle<LZ4F_dctx, LZ4F_freeDecompressionContext> state_;
  bool ended_ = false;
};

struct FreeBrotli {
  void operator()(::BrotliEncoderState* state) const { BrotliEncoderDestroyInstance(state); }
  void operator()(::BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

class BrotliEncoder final : public Transcoder {
 public:
  BrotliEncoder() {
    if (!load_brotli()) return;
    state_.reset(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr));
    BrotliEncoderSetParameter(state_.get(), BROTLI_PARAM_QUALITY, kBrotliQuality);
  }

  Result<Step> step(ByteView in, Input input, std::span<std::byte> out) override {
    if (!state_) return std::unexpected(unusable(load_brotli()));
    std::size_t left = in.size();
    std::size_t room = out.size();
    auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out.data());
    const auto operation =
        input == Input::last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    if (!BrotliEncoderCompressStream(state_.get(), operation, &left, &from, &room, &to, nullptr)) {
      return fail(errc::io, "brotli encoder failed");
    }
    return Step{in.size() - left, out.size() - room,
                static_cast<bool>(BrotliEncoderIsFinished(state_.get()))};
  }

 private:
  std::unique_ptr<::BrotliEncoderState, FreeBrotli> state_;
};

class BrotliDecoder final : public Transcoder {
 public:
  BrotliDecoder() {
    if (load_brotli()) state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  }

  Result<Step> step(ByteView in, Input, std::span<std::byte> out) override {
    if (!state_) return std::unexpected(unusable(load_brotli()));
    if (ended_) return after_end(in, "brotli");
    std::size_t left = in.size();
    std::size_t room = out.size();
    auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out.data());
    const auto result =
        BrotliDecoderDecompressStream(state_.get(), &left, &from, &room, &to, nullptr);
    if (result == BROTLI_DECODER_RESULT_ERROR) return corrupt("brotli");
    ended_ = result == BROTLI_DECODER_RESULT_SUCCESS;
    return Step{in.size() - left, out.size() - room, ended_};
  }

 private:
  std::unique_ptr<::BrotliDecoderState, FreeBrotli> state_;
  bool ended_ = false;
};

bool is_here(Compression compression) {
  switch (compression) {
    case Compression::zstd: return load_zstd().has_value();
    case Compression::brotli: return load_brotli().has_value();
    default: return true;
  }
}

const Named* find(Compression compression) {
  const auto* found = std::ranges::find(kCompressions, compression, &Named::compression);
  return found == std::end(kCompressions) ? nullptr : found;
}

}  // namespace

std::optional<Compression> parse_compression(std::string_view name) {
  if (name == "any") return Compression::any;
  if (name == "none") return Compression::none;
  const auto* found = std::ranges::find(kCompressions, name, &Named::name);
  if (found == std::end(kCompressions)) return std::nullopt;
  return found->compression;
}

Compression choose_compression(Compression wanted, const FeatureSet& features) {
  if (wanted == Compression::none || !features.has("sendrecv_v2")) return Compression::none;
  for (const Named& each : kCompressions) {
    const bool fits = wanted == Compression::any || wanted == each.compression;
    if (fits && features.has(each.feature) && is_here(each.compression)) return each.compression;
  }
  return Compression::none;
}

std::uint32_t compression_flag(Compression compression) {
  const Named* found = find(compression);
  return found == nullptr ? sync_flag::kNone : found->flag;
}

std::optional<Compression> compression_of_flags(std::uint32_t flags) {
  if (flags == sync_flag::kNone) return Compression::none;
  const auto* found = std::ranges::find(kCompressions, flags, &Named::flag);
  if (found == std::end(kCompressions)) return std::nullopt;
  return found->compression;
}

std::unique_ptr<Transcoder> make_encoder(Compression compression) {
  switch (compression) {
    case Compression::brotli: return std::make_unique<BrotliEncoder>();
    case Compression::lz4: return std::make_unique<Lz4Encoder>();
    case Compression::zstd: return std::make_unique<ZstdEncoder>();
    default: return std::make_unique<Copy>();
  }
}

std::unique_ptr<Transcoder> make_decoder(Compression compression) {
  switch (compression) {
    case Compression::brotli: return std::make_unique<BrotliDecoder>();
    case Compression::lz4: return std::make_unique<Lz4Decoder>();
    case Compression::zstd: return std::make_unique<ZstdDecoder>();
    default: return std::make_unique<Copy>();
  }
}

}  // namespace adbproto
