#pragma once
// Facts about one device that are kept between processes: which rung of the channel ladder works
// for which service, which Operator app it has, which way of capturing the screen is faster. Kept
// per serial and boot id; lost memory only costs a probe.

#include "base/version.hpp"
#include "runtime/android/service_command.hpp"

namespace clawperator {

enum class CaptureMethod { device_png, raw_frame };

struct DeviceMemory {
  std::string boot_id;
  std::string serialno;  // ro.serialno
  int sdk = 0;           // ro.build.version.sdk; 0: unknown
  Rungs rungs;
  // Of the Operator app, from the last answer of the package manager; a check beside each command
  // updates them. `operator_was_chosen`: this one is used where none is named.
  std::string operator_package;
  bool operator_was_chosen = false;
  std::optional<Version> operator_version;
  std::optional<bool> greets_with_delayed_ack;  // when it let us in at once, reached directly
  bool several_displays = false;                // screencap needs a display id
  // Of the screen in its rotation at the last query; 0: unknown.
  std::uint32_t screen_width = 0, screen_height = 0;
  std::optional<std::chrono::microseconds> device_png;  // last whole capture, as a PNG
  std::optional<std::chrono::microseconds> raw_frame;   // the same by raw frame and our encoder

  // Device PNG until the raw way was measured faster.
  [[nodiscard]] CaptureMethod faster_capture() const;
  // How long the raw way may be tried that was not measured yet: it may be faster on a device whose
  // PNG takes long, and slower over a slow link.
  [[nodiscard]] std::optional<std::chrono::milliseconds> raw_trial() const;
  bool operator==(const DeviceMemory&) const = default;
};

// Empty when nothing is remembered. The caller compares the boot id once it has the device's.
DeviceMemory recall_device(const std::string& serial);
// Best effort: a read-only home is no error.
void remember_device(const std::string& serial, const DeviceMemory& memory);

}  // namespace clawperator
