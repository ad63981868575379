#pragma once
// Judges this computer's facts: adb server, adb key, USB, and the device that they lead to. Pure.

#include "adbproto/client/key_store.hpp"
#include "adbproto/link/usb_bus.hpp"
#include "base/error.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/host/doctor/report.hpp"

namespace clawperator {

struct ServerFacts {
  bool is_used = true;    // --transport may leave it out
  bool can_start = true;  // there is an adb program
  std::string address{};
  std::optional<Error> problem{};
  int version = 0;
  std::string usb_backend{};  // "libusb" or "native"
  std::vector<DeviceRow> rows{};
};

struct UsbFacts {
  std::optional<Error> problem{};     // `unsupported`: switched off, or no USB here
  std::optional<Error> no_library{};  // why no phone can be opened
  std::vector<adbproto::UsbDevice> phones{};
};

struct HostFacts {
  Question question{};
  ServerFacts server{};
  adbproto::UserKeyState key{};
  UsbFacts usb{};
  std::string own_program{};
  std::vector<std::string> other_programs{};  // other_programs.hpp
  // Absent: a device was found: `serial`, by `route`.
  std::optional<Error> unresolved{};
  std::string serial{};
  std::string route{};
  // The ways that were tried: all of them when no device was found, else the other phones on USB.
  std::vector<DeviceRow> rows{};
};

Check check_server(const HostFacts& facts);
Check check_keys(const HostFacts& facts);
Check check_usb(const HostFacts& facts);
// Absent: there are no such programs.
std::optional<Check> check_programs(const HostFacts& facts);
Check check_discovery(const HostFacts& facts);
// The device that waits for its owner to allow debugging; absent: none does.
std::optional<DeviceRow> unauthorized_row(const HostFacts& facts);

// No server listens where the adb server should, and nothing else leads to a device: the one case
// in which --fix starts one.
bool lacks_server(const HostFacts& facts);

}  // namespace clawperator
