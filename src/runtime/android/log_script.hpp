#pragma once
// The device's log from a known instant on: one script that tells the device's own time and then
// becomes logcat, so nothing written after that instant can be missed, whenever logcat itself gets
// going.
//
//   <boot id>|<ro.serialno>|<SDK>|<seconds.fraction>\n   then logcat's entries
//
// Entries are binary (`logcat -B`), but text on Android 13: there logcat keeps binary entries back
// until 4096 bytes have come together, while it writes out text with each entry.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace clawperator {

// What is known of the phone already; the script asks for the rest.
struct KnownPhone {
  std::string boot_id;   // all of it is trusted only while the phone still says this
  std::string serialno;  // ro.serialno
  int sdk = 0;           // ro.build.version.sdk; 0: unknown
};

// `from` ("seconds.fraction", Android 7 and newer) is where the log begins instead of now.
std::string log_script(const KnownPhone& known, std::string_view from = {});

struct DeviceFacts {
  std::string boot_id;   // empty where the shell may not read it
  std::string serialno;  // ro.serialno, empty where unknown
  int sdk = 0;           // 0 where unknown
  std::uint32_t sec = 0;
  std::uint32_t nsec = 0;
};

// The header line, without its line break. logcat_unavailable when it is none.
Result<DeviceFacts> parse_log_header(std::string_view line);

// "077" behind the decimal point is 77 ms: in nanoseconds; 0 for anything but one to nine digits.
std::uint32_t parse_fraction(std::string_view digits);

// How logcat prints what follows the header.
enum class LogShape { binary, text };
LogShape log_shape(const DeviceFacts& facts);

}  // namespace clawperator
