#include "runtime/image/jpeg.hpp"

#include <turbojpeg.h>

#include "base/loaded_library.hpp"
#include "runtime/image/errc.hpp"

// clang-format off
#define CLAWPERATOR_LIBTURBOJPEG(X)                                                             \
  X(tjInitCompress) X(tjDestroy) X(tjFree) X(tjCompress2) X(tjGetErrorStr2)
// clang-format on

namespace clawperator {
namespace {

// libturbojpeg as pointers, loaded when the first JPEG is made: it would be a sixteenth of the
// program.
CLAWPERATOR_LIBTURBOJPEG(LOADED_DEFINE)

Result<void> bind_turbojpeg() {
  LoadedLibrary library("libturbojpeg.so.0");
  CLAWPERATOR_LIBTURBOJPEG(LOADED_BIND)
  return library.complete("libturbojpeg0");
}

Result<void> load_turbojpeg() {
  static const Result<void> kLoaded = bind_turbojpeg();
  return kLoaded;
}

struct Compressor {
  Compressor() : handle(tjInitCompress()) {}
  ~Compressor() {
    if (handle != nullptr) tjDestroy(handle);
    tjFree(output);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  tjhandle handle;
  unsigned char* output = nullptr;  // the library's, grown by it
  unsigned long size = 0;
};

std::optional<TJPF> direct_format(PixelFormat format) {
  switch (format) {
    case PixelFormat::rgba_8888:
    case PixelFormat::rgbx_8888: return TJPF_RGBX;
    case PixelFormat::bgra_8888: return TJPF_BGRX;
    case PixelFormat::rgb_888: return TJPF_RGB;
    default: return std::nullopt;
  }
}

Result<Bytes> compress(const RawFrame& frame, TJPF format, int quality) {
  if (const auto loaded = load_turbojpeg(); !loaded) {
    return fail(errc::screenshot_capture_failed, loaded.error().message());
  }
  Compressor jpeg;
  if (jpeg.handle == nullptr) return fail(errc::screenshot_capture_failed, "cannot start jpeg");
  const auto* pixels = reinterpret_cast<const unsigned char*>(frame.pixels.data());
  const int status = tjCompress2(jpeg.handle, pixels, static_cast<int>(frame.width), 0,
                                 static_cast<int>(frame.height), format, &jpeg.output, &jpeg.size,
                                 TJSAMP_420, quality, TJFLAG_FASTDCT);
  if (status != 0) {
    return fail(errc::screenshot_capture_failed,
                std::string("cannot encode jpeg: ") + tjGetErrorStr2(jpeg.handle));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(jpeg.output);
  return Bytes(bytes, bytes + jpeg.size);
}

}  // namespace

Result<Bytes> encode_jpeg(const RawFrame& frame, int quality) {
  if (quality < 1 || quality > 100)
    return fail(errc::usage, "jpeg quality must be 1 to 100, not " + std::to_string(quality));
  if (const auto format = direct_format(frame.format)) return compress(frame, *format, quality);
  const Picture picture = to_picture(frame, Channels::rgb);
  return compress(picture.frame(), TJPF_RGB, quality);
}

}  // namespace clawperator
