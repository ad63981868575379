#include "runtime/android/virtual_touch.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kTouchName = "clawperator-touchscreen";

// HID usage tables, page 0x0d: a touch screen that holds two fingers.
constexpr auto kFinger = std::to_array<std::uint8_t>({
    0x09, 0x22,        //   Usage: Finger
    0xa1, 0x02,        //   Collection: Logical
    0x09, 0x42,        //     Usage: Tip Switch
    0x15, 0x00,        //     Logical Minimum: 0
    0x25, 0x01,        //     Logical Maximum: 1
    0x75, 0x01,        //     Report Size: 1
    0x95, 0x01,        //     Report Count: 1
    0x81, 0x02,        //     Input: Data, Variable, Absolute
    0x95, 0x07,        //     Report Count: 7
    0x81, 0x03,        //     Input: Constant
    0x09, 0x51,        //     Usage: Contact Identifier
    0x25, 0x7f,        //     Logical Maximum: 127
    0x75, 0x08,        //     Report Size: 8
    0x95, 0x01,        //     Report Count: 1
    0x81, 0x02,        //     Input: Data, Variable, Absolute
    0x05, 0x01,        //     Usage Page: Generic Desktop
    0x26, 0xff, 0x7f,  //     Logical Maximum: 32767
    0x75, 0x10,        //     Report Size: 16
    0x09, 0x30,        //     Usage: X
    0x81, 0x02,        //     Input: Data, Variable, Absolute
    0x09, 0x31,        //     Usage: Y
    0x81, 0x02,        //     Input: Data, Variable, Absolute
    0x05, 0x0d,        //     Usage Page: Digitizer
    0xc0,              //   End Collection
});
constexpr auto kBeforeFingers = std::to_array<std::uint8_t>({
    0x05, 0x0d,  // Usage Page: Digitizer
    0x09, 0x04,  // Usage: Touch Screen
    0xa1, 0x01,  // Collection: Application
});
constexpr auto kBehindFingers = std::to_array<std::uint8_t>({
    0x09, 0x54,  //   Usage: Contact Count
    0x25, 0x02,  //   Logical Maximum: 2
    0x75, 0x08,  //   Report Size: 8
    0x95, 0x01,  //   Report Count: 1
    0x81, 0x02,  //   Input: Data, Variable, Absolute
    0xc0,        // End Collection
});

consteval auto whole_descriptor() {
  std::array<std::uint8_t, kBeforeFingers.size() + 2 * kFinger.size() + kBehindFingers.size()>
      all{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const std::uint8_t each : part) all[at++] = each;
  };
  add(kBeforeFingers);
  add(kFinger);
  add(kFinger);
  add(kBehindFingers);
  return all;
}
constexpr auto kDescriptor = whole_descriptor();

constexpr int kFrameMs = 16;
constexpr int kSettleMs = 300;

// The program reads numbers as Java does.
template <class Range>
std::string list_of(const Range& bytes) {
  std::string text;
  for (const auto each : bytes) {
    text += (text.empty() ? "[" : ",") + std::to_string(static_cast<unsigned>(each));
  }
  return text + "]";
}

std::string report_json(const TouchFrame& frame, bool down) {
  return R"({"id":1,"command":"report","report":)" + list_of(touch_report(frame, down)) + "}";
}

std::string delay_json(int ms) {
  return R"({"id":1,"command":"delay","duration":)" + std::to_string(ms) + "}";
}

std::string register_json() {
  constexpr const char* kVendorAndProduct = R"("vid":6353,"pid":11327,"bus":"usb")";
  return R"({"id":1,"command":"register","name":")" + std::string(kTouchName) + R"(",)" +
         kVendorAndProduct + R"(,"descriptor":)" + list_of(kDescriptor) + "}";
}

}  // namespace

std::span<const std::uint8_t> touch_descriptor() { return kDescriptor; }

Bytes touch_report(const TouchFrame& frame, bool down) {
  Bytes report;
  unsigned number = 0;
  const auto add = [&](unsigned value) { report.push_back(static_cast<std::byte>(value & 0xffU)); };
  for (const TouchPoint& finger : frame) {
    const auto x = static_cast<unsigned>(finger.x);
    const auto y = static_cast<unsigned>(finger.y);
    add(down ? 1 : 0);
    add(number++);
    add(x);
    add(x >> 8U);
    add(y);
    add(y >> 8U);
  }
  add(number);
  return report;
}

std::string touch_probe_line() { return "[ -w /dev/uhid ] && echo uhid; command -v hid || true"; }

std::string virtual_touch_line(std::span<const TouchFrame> frames) {
  std::string gesture = delay_json(kSettleMs);
  for (const TouchFrame& frame : frames) gesture += report_json(frame, true) + delay_json(kFrameMs);
  if (!frames.empty()) gesture += report_json(frames.back(), false);
  gesture += delay_json(kSettleMs);
  const std::string look = "dumpsys input | grep -q '" + std::string(kTouchName) + "'";
  return "{ echo '" + register_json() + "'; n=0; while [ $n -lt 40 ] && ! " + look +
         "; do n=$((n+1)); sleep 0.1; done; if [ $n -lt 40 ]; then echo " +
         std::string(kTouchMark) + " >&2; echo '" + gesture + "'; fi; } | hid -";
}

}  // namespace clawperator
