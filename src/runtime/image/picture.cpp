#include "runtime/image/picture.hpp"

#include "runtime/image/frame.hpp"
#include "runtime/image/jpeg.hpp"
#include "runtime/image/png.hpp"

namespace clawperator {
namespace {

Result<void> validate_options(const PictureOptions& options) {
  if (options.quality < 1 || options.quality > 100)
    return fail(errc::usage, "quality must be 1 to 100, not " + std::to_string(options.quality));
  if (options.max_side && *options.max_side == 0)
    return fail(errc::usage, "max side must be at least 1");
  if (options.marks.size() > kMaxMarks)
    return fail(errc::usage, "more than " + std::to_string(kMaxMarks) + " marks");
  return {};
}

Result<Bytes> encode_as(const RawFrame& frame, const PictureOptions& options) {
  if (options.format == ImageFormat::jpeg) return encode_jpeg(frame, options.quality);
  return encode_png(frame);
}

Result<Bytes> encode(const RawFrame& frame, const PictureOptions& options) {
  const PictureSize size{frame.width, frame.height};
  const PictureSize target = options.max_side ? fit(size, *options.max_side) : size;
  if (target == size && options.marks.empty()) return encode_as(frame, options);
  Picture picture =
      target == size ? to_picture(frame, needed_channels(frame)) : scale_down(frame, target);
  // The longer side has the finer rounding.
  const bool upright = size.height >= size.width;
  draw_marks(picture, options.marks,
             {.device = upright ? size.height : size.width,
              .picture = upright ? target.height : target.width});
  return encode_as(picture.frame(), options);
}

}  // namespace

Result<Bytes> encode_picture(const RawFrame& frame, const PictureOptions& options) {
  TRY_VOID(validate_options(options));
  TRY_VOID(check_frame(frame));
  return encode(frame, options);
}

}  // namespace clawperator
