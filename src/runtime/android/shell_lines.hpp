#pragma once
// Lines for the device's sh, apart from the commands of Android's services. Foreign words are
// quoted. Each line starts programs that every Android since 5 has; its comment names an exception.

#include "base/error.hpp"

namespace clawperator {

// The service `shell:` reports no exit status; this prints it behind all output, after the mark.
inline constexpr std::string_view kStatusMark = "\nclawperator-status:";
std::string status_line(std::string_view line);

// Prints "ro.serialno\nboot id\n"; the boot id is missing where shell may not read it.
std::string identity_line();
// Prints Android's release ("16") and its SDK level, a line each.
std::string release_line();
struct AndroidRelease {
  std::string release{};  // empty: the phone did not print it
  int sdk = 0;            // 0: likewise
};
AndroidRelease parse_release(std::string_view printed);
// Prints ro.serialno and ro.product.{name,model,device}, a line each.
std::string product_line();

enum class ScreencapForm { png, raw };
// `display`: the physical display's id, by `dumpsys display` after "local:".
std::string screencap_line(ScreencapForm form, std::optional<std::string_view> display);

// The tree of the screen, by a file of its own that is removed again. Prints uiautomator's output,
// then the file, then the output of screen_now_line().
std::string screen_dump_line(std::string_view id);

// Prints, among others, the lines with the focused window and activity. Of all sections of that
// dump one repeats the state of the last app that did not answer.
std::string focus_dump(int sdk);

// Runs `line` only where the window in front and the focused activity are that app's; else prints
// kHeldBack alone. A window's title is its owner's text, and may have no app in it (a popup, a
// dialog with a title): then nothing runs either. `package` is_plain_package().
inline constexpr std::string_view kHeldBack = "clawperator-held-back";
std::string line_if_in_front(std::string_view package, int sdk, std::string_view line);
// A name of letters, digits, dots and underscores, as Android's are.
bool is_plain_package(std::string_view name);

// Lines that `clawperator adb` sends on its own, the same as the real adb's.

// In single quotes, as adb writes them: `it'\''s`.
std::string quote_as_adb(std::string_view word);

// `tags` is the host's ANDROID_LOG_TAGS; the double quotes around the quoted tags are adb's own.
std::string adb_logcat_line(std::string_view tags, std::span<const std::string> words);

// Android 7 and newer have bugreportz and print its version on stderr.
std::string bugreport_version_line();
// text: of Android 6 and before; zip: bugreportz 1.0; zip_with_progress: 1.1; stream: 1.2.
enum class BugreportForm { text, zip, zip_with_progress, stream };
std::string bugreport_line(BugreportForm form);

// The device's log from a known instant on: one script that prints the device's own time and then
// becomes logcat, so nothing written after that instant can be missed, whenever logcat itself gets
// going.
//
//   <boot id>|<ro.serialno>|<SDK>|<seconds.fraction>\n   then logcat's entries
//
// Entries are binary (`logcat -B`), but text on Android 13: there logcat keeps binary entries back
// until 4096 bytes have come together, while it writes out text with each entry.

// The values that are already known of the phone; the script reads the rest.
struct KnownPhone {
  std::string boot_id;   // the other values count only while the phone reports this boot id
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

// The header line, without its line break. logcat_unavailable for any other line.
Result<DeviceFacts> parse_log_header(std::string_view line);

// "077" behind the decimal point is 77 ms: in nanoseconds; 0 for anything but one to nine digits.
std::uint32_t parse_fraction(std::string_view digits);

// The format in which logcat prints the entries behind the header.
enum class LogShape { binary, text };
LogShape log_shape(const DeviceFacts& facts);

}  // namespace clawperator
