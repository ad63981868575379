#pragma once
// One capture of the device's screen, as the bytes of an image file.
//
//   device_png   shell,v2,raw:screencap -p   passed through, checked to be whole
//   raw_frame    shell,v2,raw:screencap      encoded here; what JPEG, scaling and marks need

#include "adbproto/client/device.hpp"
#include "base/bytes.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/image/frame.hpp"
#include "runtime/image/marks.hpp"

namespace clawperator {

struct Capture {
  Bytes picture;
  CaptureMethod method = CaptureMethod::device_png;
  bool several_displays = false;  // screencap needed the id of one
  bool black = false;             // every pixel: the app in front forbids pictures, most likely
  std::optional<ScreenSize> screen{};    // of a raw frame
  std::chrono::microseconds transfer{};  // until the last byte was here
  std::chrono::microseconds total{};     // with encoding
  // a failed raw capture before took this long
  std::optional<std::chrono::microseconds> raw_in_vain{};
};

// What earlier captures of this device have shown.
struct CaptureHabits {
  CaptureMethod faster = CaptureMethod::device_png;
  bool several_displays = false;
  std::optional<std::chrono::milliseconds> raw_trial{};  // of a plain PNG: try a raw frame first
};

// Captures the display that shows the default viewport. screenshot_capture_failed for anything that
// is not a whole image; link errors unchanged. Takes at most `limit`, and never more than 30 s.
Task<Capture> capture_screen(adbproto::Device* device, ScreenshotOptions options,
                             std::vector<Mark> marks, CaptureHabits habits,
                             std::chrono::milliseconds limit);

// Captures the screen as it is now, for comparing, within `limit`; kTilesLimit is enough for the 14
// MB of a large screen over USB 1.1 (1.2 MB a second). Remembers whether screencap needs the id of
// a display.
constexpr std::chrono::milliseconds kTilesLimit{15000};
Task<FrameTiles> capture_tiles(adbproto::Device* device, bool* several_displays,
                               std::chrono::milliseconds limit = kTilesLimit);

std::vector<Mark> marks_of(const UiTree& tree, Marked marked);

// The published default, in the temp folder: clawperator-screenshot-<commandId>-<ms>.<png|jpg>
std::string default_picture_name(const std::string& command_id, PictureFormat format);
std::string default_picture_path(const std::string& command_id, PictureFormat format);

}  // namespace clawperator
