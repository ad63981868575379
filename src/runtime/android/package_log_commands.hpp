#pragma once
// Lines that read the phone's log for one app. logcat's text with times in seconds since the epoch
// (Android 7 and newer); nothing is ever cleared.

#include <cstdint>
#include <string>
#include <string_view>

namespace clawperator {

// Prints the log's events of crashed and stuck apps, a line with this mark alone, and the end of
// the log's own buffer for crashes.
inline constexpr std::string_view kCrashMark = "clawperator-crashes";
std::string crashes_line();

enum class LogEnd : std::uint8_t { follow, stop };
// The last entries and, where asked for, all that come: those of `level` (V, D, I, W, E, F) and
// above, and what tells of processes that are started.
std::string package_log_line(char level, LogEnd end);

// Prints the numbers and names of all processes under headings.
std::string processes_line(int sdk);

}  // namespace clawperator
