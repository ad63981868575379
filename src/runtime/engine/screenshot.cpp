#include "runtime/engine/screenshot.hpp"

#include <algorithm>
#include <filesystem>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/png_check.hpp"
#include "adbproto/wire/screencap.hpp"
#include "adbproto/wire/services.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/image/picture.hpp"

namespace clawperator {

using adbproto::Bytes;
using adbproto::ByteView;
using adbproto::Clock;
using adbproto::Device;
using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::Framing;
using adbproto::ok;
using adbproto::OutputStream;
using adbproto::Result;
using adbproto::Task;

namespace {

constexpr std::chrono::milliseconds kCaptureLimit = std::chrono::seconds(30);
constexpr std::size_t kMaxCapture = std::size_t{512} << 20;
constexpr std::size_t kLikelyPng = 256 * 1024;

std::chrono::microseconds since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
}

Error capture_failed(const std::string& why) { return {Errc::screenshot_capture_failed, why}; }

Task<OutputStream> open_screencap(Device* device, std::string command) {
  const bool framed = device->features().has("shell_v2");
  CO_TRY(auto stream,
         co_await device->open(framed ? adbproto::shell_v2_raw(command) : adbproto::exec(command)));
  co_return OutputStream(std::move(stream), framed ? Framing::shell_v2 : Framing::raw);
}

// Reserves once: a frame of 10 MB must not be copied while it grows.
Result<void> make_room(Bytes& into, ByteView piece) {
  if (into.size() + piece.size() > kMaxCapture) {
    return std::unexpected(capture_failed("screencap does not stop printing"));
  }
  if (!into.empty() || into.capacity() > 0) return ok();
  std::size_t size = kLikelyPng;
  if (piece.size() >= adbproto::kScreencapHeaderSize) {
    const auto expected = adbproto::expected_screencap_size(piece);
    if (expected) size = expected->likely_size;
  }
  into.reserve(std::max(size, piece.size()));
  return ok();
}

// nullopt: the command is still printing. Otherwise how it ended.
Result<bool> end_of(const Device& device, const OutputStream& output, const Error& error,
                    std::size_t size) {
  if (error.code() != Errc::closed) return std::unexpected(error);
  // A command that ends says so; what ended here is the way to it.
  if (adbproto::shell_framing(device) == Framing::shell_v2 && !output.exit_status()) {
    return fail(Errc::link_lost, "the link to the device ended in the middle of a screen capture");
  }
  const int status = output.exit_status().value_or(0);
  if (status == 0 && size > 0) return true;
  std::string text = status == 0 ? "screencap printed nothing" : "screencap failed";
  if (status != 0) text += " (exit code " + std::to_string(status) + ")";
  if (!output.err().empty()) text += ": " + output.err();
  return std::unexpected(capture_failed(text));
}

Task<Bytes> read_png(Device* device) {
  CO_TRY(auto output, co_await open_screencap(device, "screencap -p"));
  adbproto::PngChecker checker;
  Bytes picture;
  for (;;) {
    const auto piece = co_await output.next();
    if (!piece) {
      CO_TRY_VOID(end_of(*device, output, piece.error(), picture.size()));
      break;
    }
    CO_TRY_VOID(make_room(picture, *piece));
    checker.feed(*piece);
    adbproto::append(picture, *piece);
  }
  const auto whole = checker.finish();
  if (!whole) co_return std::unexpected(capture_failed(whole.error().message()));
  co_return picture;
}

Task<Bytes> read_raw(Device* device) {
  CO_TRY(auto output, co_await open_screencap(device, "screencap"));
  Bytes frame;
  for (;;) {
    const auto piece = co_await output.next();
    if (!piece) {
      CO_TRY_VOID(end_of(*device, output, piece.error(), frame.size()));
      co_return frame;
    }
    CO_TRY_VOID(make_room(frame, *piece));
    adbproto::append(frame, *piece);
  }
}

Result<PictureOptions> picture_options(const ScreenshotOptions& options) {
  PictureOptions picture;
  picture.format = options.format == PictureFormat::jpeg ? ImageFormat::jpeg : ImageFormat::png;
  picture.quality = options.quality;
  if (options.max_side) picture.max_side = static_cast<std::uint32_t>(*options.max_side);
  if (options.marks) {
    TRY(picture.marks, parse_marks(*options.marks));
  }
  return picture;
}

Result<Bytes> encode(ByteView raw, const ScreenshotOptions& options) {
  TRY(const PictureOptions picture, picture_options(options));
  auto frame = adbproto::decode_screencap(raw);
  if (!frame) return std::unexpected(capture_failed(frame.error().message()));
  return encode_picture(*frame, picture);
}

bool needs_raw(const ScreenshotOptions& options) {
  return options.format == PictureFormat::jpeg || options.max_side || options.marks;
}

}  // namespace

Task<Capture> capture_screen(Device* device, ScreenshotOptions options, CaptureMethod preferred,
                             std::chrono::milliseconds limit) {
  const auto start = Clock::now();
  Capture capture;
  capture.method = preferred;
  if (options.capture) capture.method = *options.capture;
  if (needs_raw(options)) capture.method = CaptureMethod::raw_frame;
  const bool raw = capture.method == CaptureMethod::raw_frame;
  CO_TRY(Bytes bytes,
         co_await adbproto::with_deadline(raw ? read_raw(device) : read_png(device),
                                          std::min(limit, kCaptureLimit), "screen capture"));
  capture.transfer = since(start);
  if (raw) {
    CO_TRY(capture.picture, encode(bytes, options));
  } else {
    capture.picture = std::move(bytes);
  }
  capture.total = since(start);
  co_return capture;
}

std::string default_picture_path(const std::string& command_id, PictureFormat format) {
  std::error_code absent;
  auto folder = std::filesystem::temp_directory_path(absent);
  if (absent) folder = "/tmp";
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string name = "clawperator-screenshot-" + file_name_of(command_id) + "-" +
                           std::to_string(ms) + (format == PictureFormat::jpeg ? ".jpg" : ".png");
  return (folder / name).string();
}

}  // namespace clawperator
