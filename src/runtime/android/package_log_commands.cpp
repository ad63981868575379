#include "runtime/android/package_log_commands.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kMostOfEach = 262'144;
constexpr int kHasToybox = 26;  // ps of Android 7 knows no columns
constexpr std::string_view kEntriesBefore = "1000";

// The end of what a command prints: by the tool itself, for the sake of the link.
std::string end_of(const std::string& command) {
  return command + " | tail -c " + std::to_string(kMostOfEach);
}

}  // namespace

std::string crashes_line() {
  return "date +%s; " + end_of("logcat -b events -d -v threadtime -v epoch -s am_crash am_anr") +
         "; echo " + std::string(kCrashMark) + "; " +
         end_of("logcat -b crash -d -v threadtime -v epoch");
}

std::string package_log_line(char level, LogEnd end) {
  std::string line = "logcat -v threadtime -v epoch";
  line.append(end == LogEnd::follow ? " -T " : " -t ").append(kEntriesBefore);
  if (level != 'V' && level != 'D' && level != 'I') line += " ActivityManager:I";
  return line + " '*:" + std::string(1, level) + "'";
}

std::string processes_line(int sdk) { return sdk >= kHasToybox ? "ps -A -o PID,NAME" : "ps"; }

}  // namespace clawperator
