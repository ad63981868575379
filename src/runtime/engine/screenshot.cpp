#include "runtime/engine/screenshot.hpp"

#include <algorithm>
#include <filesystem>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/screencap.hpp"
#include "adbproto/wire/services.hpp"
#include "base/async/blocking.hpp"
#include "base/async/memory_budget.hpp"
#include "base/system/environment.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/image/picture.hpp"
#include "runtime/image/png.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator {

namespace {

// A raw frame of 10 MB comes in this time over a link of a third of a MB a second.
constexpr std::chrono::milliseconds kCaptureLimit = std::chrono::seconds(30);
constexpr std::size_t kMaxCapture = std::size_t{512} << 20;  // twice an 8K frame of 8 bytes a pixel
constexpr std::size_t kLikelyPng = 256 * 1024;
constexpr std::size_t kMaxWords = 64 * 1024;  // of output that is no picture
constexpr std::size_t kMaxPixelBytes = 8;     // of formats that this program does not know

Error capture_failed(const std::string& why) { return {errc::screenshot_capture_failed, why}; }

struct Shot {
  adbproto::MemoryShare memory{};
  Bytes bytes{};
  std::string err{};  // what screencap printed beside it
};
using Display = std::optional<std::string>;

// What screencap prints, from the first byte of the picture on.
class CaptureStream {
 public:
  CaptureStream(OutputStream output, ScreencapForm form)
      : output_(std::move(output)),
        find_(form == ScreencapForm::png ? adbproto::find_png : adbproto::find_raw_frame) {}

  // Without a picture all of the output.
  Task<ByteView> next() {
    held_ = {};
    while (!has_begun_) {
      const auto piece = co_await output_.next();
      has_begun_ = !piece || held_.size() > kMaxWords;
      if (!piece && held_.empty()) co_return piece;
      if (piece) append(held_, *piece);
      const auto begin = find_(held_);
      has_begun_ = has_begun_ || begin;
      if (begin) words_ = as_text(ByteView(held_).first(*begin));
      if (has_begun_) co_return ByteView(held_).subspan(begin.value_or(0));
    }
    co_return co_await output_.next();
  }

  [[nodiscard]] const OutputStream& output() const { return output_; }
  // Printed beside the picture.
  [[nodiscard]] std::string words() const { return output_.err() + words_; }

 private:
  OutputStream output_;
  std::optional<std::size_t> (*find_)(ByteView);
  bool has_begun_ = false;
  Bytes held_;
  std::string words_;
};

Task<CaptureStream> open_screencap(Device* device, ScreencapForm form, Display display) {
  const std::string command = screencap_line(form, display);
  const Framing framing = adbproto::shell_framing(*device);
  CO_TRY(auto stream,
         co_await device->open(framing == Framing::shell_v2 ? adbproto::shell_v2_raw(command)
                                                            : adbproto::exec(command)));
  co_return CaptureStream(OutputStream(std::move(stream), framing), form);
}

// Upper bound of the raw frame's size, computed from its header.
std::size_t frame_limit(ByteView beginning) {
  const auto header = adbproto::read_screencap_header(beginning);
  if (!header) return kMaxWords;
  const std::size_t known = adbproto::bytes_per_pixel(header->format);
  const std::size_t pixels = std::size_t{header->width} * header->height;
  return std::min(kMaxCapture,
                  adbproto::kScreencapHeaderSize + pixels * (known == 0 ? kMaxPixelBytes : known));
}

// Expected size of the picture, computed from its beginning.
std::size_t likely_size(ByteView beginning) {
  if (beginning.size() < adbproto::kScreencapHeaderSize) return kLikelyPng;
  const auto expected = adbproto::expected_screencap_size(beginning);
  return expected ? std::min(expected->likely_size, kMaxCapture) : kLikelyPng;
}

// Reserves once: a frame of 10 MB must not be copied while it grows.
Result<void> keep(Shot& shot, ByteView piece) {
  std::size_t size = shot.bytes.size() + piece.size();
  if (shot.bytes.capacity() == 0) size = std::max(size, likely_size(piece));
  if (size > shot.bytes.capacity()) {
    if (!shot.bytes.empty()) size = std::max(size, 2 * shot.bytes.capacity());
    TRY_VOID(shot.memory.take(size));
    shot.bytes.reserve(size);
  }
  append(shot.bytes, piece);
  return ok();
}

Result<void> check_size(const Bytes& printed, std::size_t limit) {
  if (printed.size() <= limit) return ok();
  return std::unexpected(capture_failed("screencap prints more than a picture"));
}

// nullopt: the command is still printing. Otherwise its end.
Result<bool> end_of(const Device& device, const OutputStream& output, const Error& error,
                    std::size_t size) {
  if (error.code() != errc::closed) return std::unexpected(error);
  // A command that ends reports that; here the link to it ended.
  if (adbproto::shell_framing(device) == Framing::shell_v2 && !output.exit_status()) {
    return fail(errc::link_lost, "the link to the device ended in the middle of a screen capture");
  }
  const int status = output.exit_status().value_or(0);
  if (status == 0 && size > 0) return true;
  std::string text = status == 0 ? "screencap printed nothing" : "screencap failed";
  if (status != 0) text += " (exit code " + std::to_string(status) + ")";
  if (!output.err().empty()) text += ": " + output.err();
  return std::unexpected(capture_failed(text));
}

Task<Shot> read_png(Device* device, Display display) {
  CO_TRY(auto output, co_await open_screencap(device, ScreencapForm::png, std::move(display)));
  adbproto::PngChecker checker;
  Shot shot{.memory = adbproto::MemoryShare(co_await asio::this_coro::executor)};
  for (;;) {
    const auto piece = co_await output.next();
    if (!piece) {
      CO_TRY_VOID(end_of(*device, output.output(), piece.error(), shot.bytes.size()));
      break;
    }
    checker.feed(*piece);
    CO_TRY_VOID(keep(shot, *piece));
    CO_TRY_VOID(check_size(shot.bytes, checker.good() ? kMaxCapture : kMaxWords));
  }
  const auto whole = checker.finish();
  if (!whole) co_return std::unexpected(capture_failed(whole.error().message()));
  shot.err = output.words();
  co_return shot;
}

Task<Shot> read_raw(Device* device, Display display) {
  CO_TRY(auto output, co_await open_screencap(device, ScreencapForm::raw, std::move(display)));
  Shot shot{.memory = adbproto::MemoryShare(co_await asio::this_coro::executor)};
  for (;;) {
    const auto piece = co_await output.next();
    if (!piece) {
      CO_TRY_VOID(end_of(*device, output.output(), piece.error(), shot.bytes.size()));
      shot.err = output.words();
      co_return shot;
    }
    CO_TRY_VOID(keep(shot, *piece));
    CO_TRY_VOID(check_size(shot.bytes, frame_limit(shot.bytes)));
  }
}

Task<Shot> shoot(Device* device, CaptureMethod method, Display display) {
  return method == CaptureMethod::raw_frame ? read_raw(device, std::move(display))
                                            : read_png(device, std::move(display));
}

// nullopt where the device does not report one: then screencap's own choice stands.
Task<Display> ask_main_display(Device* device) {
  const auto output = co_await run_command_line(device, displays_line(), kCaptureLimit);
  if (output) co_return main_display(output->out);
  if (output.error().code() == errc::device_shell_unavailable) co_return std::nullopt;
  co_return std::unexpected(output.error());
}

// Folding a phone changes the display in use, so it is queried each time.
Task<Shot> shoot_display_in_use(Device* device, Capture* capture) {
  if (!capture->several_displays) {
    CO_TRY(auto shot, co_await shoot(device, capture->method, {}));
    if (!names_several_displays(shot.err)) co_return shot;
    capture->several_displays = true;
  }
  CO_TRY(auto display, co_await ask_main_display(device));
  co_return co_await shoot(device, capture->method, std::move(display));
}

PictureOptions picture_options(const ScreenshotOptions& options, std::vector<Mark> marks) {
  PictureOptions picture;
  picture.format = options.format == PictureFormat::jpeg ? ImageFormat::jpeg : ImageFormat::png;
  picture.quality = options.quality;
  if (options.max_side) picture.max_side = static_cast<std::uint32_t>(*options.max_side);
  picture.marks = std::move(marks);
  return picture;
}

Task<Shot> shoot_timed(Device* device, Capture* capture) {
  const auto start = Clock::now();
  auto shot = co_await shoot_display_in_use(device, capture);
  capture->transfer += base::micros_since(start);
  co_return shot;
}

Result<void> encode(const adbproto::RawFrame& frame, const PictureOptions& picture,
                    Capture* capture) {
  capture->black = is_all_black(frame);
  capture->screen = ScreenSize{frame.width, frame.height};
  TRY(capture->picture, encode_picture(frame, picture));
  return ok();
}

Result<void> encode_png_again(ByteView png, const PictureOptions& options, Capture* capture) {
  TRY(const auto picture, decode_png(png));
  return encode(picture.frame(), options, capture);
}

Task<void> take_png(Device* device, Capture* capture) {
  CO_TRY(auto shot, co_await shoot_timed(device, capture));
  constexpr std::size_t kMostOfOneColour = 64 * 1024;  // larger ones are not checked
  if (shot.bytes.size() <= kMostOfOneColour) {
    CO_TRY(capture->black,
           co_await run_blocking([&shot]() -> Result<bool> { return is_black_png(shot.bytes); }));
  }
  capture->picture = std::move(shot.bytes);
  co_return ok();
}

// New Androids and HDR panels have pixel formats of their own; the device must convert those.
Task<void> take_frame(Device* device, const PictureOptions* options, Capture* capture) {
  CO_TRY(const auto shot, co_await shoot_timed(device, capture));
  const auto frame = adbproto::decode_screencap(shot.bytes);
  if (frame) {
    co_return co_await run_blocking([&] { return encode(*frame, *options, capture); });
  }
  const auto header = adbproto::read_screencap_header(shot.bytes);
  if (!header || adbproto::bytes_per_pixel(header->format) != 0) {
    co_return std::unexpected(capture_failed(frame.error().message()));
  }
  capture->method = CaptureMethod::device_png;
  CO_TRY(const auto png, co_await shoot_timed(device, capture));
  co_return co_await run_blocking([&] { return encode_png_again(png.bytes, *options, capture); });
}

bool needs_raw(const ScreenshotOptions& options) {
  return options.format == PictureFormat::jpeg || options.max_side || options.marks;
}

}  // namespace

std::vector<Mark> marks_of(const UiTree& tree, Marked marked) {
  std::vector<Mark> marks;
  for (const std::size_t index : tree.interesting) {
    const UiNode& node = tree.nodes[index];
    const auto part = visible_part(tree, index);
    if (!part || (marked == Marked::actionable && !is_actionable(node))) continue;
    marks.push_back({node.ref, part->left, part->top, part->right, part->bottom});
  }
  return marks;
}

namespace {

bool is_raw(const Capture& capture) { return capture.method == CaptureMethod::raw_frame; }

Task<void> take(Device* device, const PictureOptions* picture, Capture* capture,
                std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  const bool raw = is_raw(*capture);
  CO_TRY_VOID(
      co_await with_deadline(raw ? take_frame(device, picture, capture) : take_png(device, capture),
                             std::min(limit, kCaptureLimit), "screen capture"));
  capture->total = base::micros_since(start);
  co_return ok();
}

bool is_final(const Error& why) { return is_link_error(why) || why.code() == errc::cancelled; }

}  // namespace

Task<Capture> capture_screen(Device* device, ScreenshotOptions options, std::vector<Mark> marks,
                             CaptureHabits habits, std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  const PictureOptions picture = picture_options(options, std::move(marks));
  Capture capture;
  capture.several_displays = habits.several_displays;
  capture.method = needs_raw(options) ? CaptureMethod::raw_frame : habits.faster;
  if (habits.raw_trial && !is_raw(capture)) {
    Capture trial = capture;
    trial.method = CaptureMethod::raw_frame;
    const auto taken = co_await take(device, &picture, &trial, std::min(limit, *habits.raw_trial));
    if (!taken && is_final(taken.error())) co_return std::unexpected(taken.error());
    // A device with an unknown pixel format has made a PNG in the end.
    if (taken && is_raw(trial)) co_return trial;
    capture.several_displays = trial.several_displays;
    capture.raw_in_vain = base::micros_since(start);
    limit -= std::chrono::floor<std::chrono::milliseconds>(*capture.raw_in_vain);
  }
  CO_TRY_VOID(co_await take(device, &picture, &capture, limit));
  co_return capture;
}

namespace {

Task<FrameTiles> take_tiles(Device* device, Capture* capture) {
  CO_TRY(const auto shot, co_await shoot_timed(device, capture));
  co_return co_await run_blocking([&shot]() -> Result<FrameTiles> {
    TRY(const auto frame, adbproto::decode_screencap(shot.bytes));
    TRY_VOID(check_frame(frame));
    return tiles_of(frame);
  });
}

}  // namespace

Task<FrameTiles> capture_tiles(Device* device, bool* several_displays,
                               std::chrono::milliseconds limit) {
  Capture capture;
  capture.several_displays = *several_displays;
  capture.method = CaptureMethod::raw_frame;
  auto tiles = co_await with_deadline(take_tiles(device, &capture), limit, "screen capture");
  *several_displays = capture.several_displays;
  co_return tiles;
}

std::string default_picture_name(const std::string& command_id, PictureFormat format) {
  return "clawperator-screenshot-" + file_name_of(command_id) + "-" +
         std::to_string(base::wall_milliseconds()) +
         (format == PictureFormat::jpeg ? ".jpg" : ".png");
}

std::string default_picture_path(const std::string& command_id, PictureFormat format) {
  return (temp_folder() / default_picture_name(command_id, format)).string();
}

}  // namespace clawperator
