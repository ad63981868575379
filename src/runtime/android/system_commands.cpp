#include "runtime/android/system_commands.hpp"

#include "adbproto/wire/services.hpp"

namespace clawperator {

namespace {

constexpr int kUserRotationVerb = 31;   // Android 12
constexpr int kWifiByCommand = 30;      // 11
constexpr int kAirplaneByCommand = 29;  // 10

std::string on_or_off(bool on, const char* yes, const char* no) { return on ? yes : no; }

}  // namespace

std::string rotation_line(int sdk, std::optional<int> quarter_turns) {
  const std::string verb = sdk >= kUserRotationVerb ? "wm user-rotation" : "wm set-user-rotation";
  return quarter_turns ? verb + " lock " + std::to_string(*quarter_turns) : verb + " free";
}

std::string battery_line() { return "dumpsys battery"; }

std::optional<std::string> network_line(int sdk, PhoneNetwork network, bool on) {
  switch (network) {
    case PhoneNetwork::airplane:
      if (sdk < kAirplaneByCommand) return std::nullopt;
      return "cmd connectivity airplane-mode " + on_or_off(on, "enable", "disable");
    case PhoneNetwork::wifi:
      if (sdk < kWifiByCommand) return "svc wifi " + on_or_off(on, "enable", "disable");
      return "cmd wifi set-wifi-enabled " + on_or_off(on, "enabled", "disabled");
    default: return "svc data " + on_or_off(on, "enable", "disable");
  }
}

std::string network_setting(PhoneNetwork network) {
  static constexpr const char* kSettings[] = {"airplane_mode_on", "wifi_on", "mobile_data"};
  return kSettings[static_cast<std::size_t>(network)];
}

namespace {

constexpr std::size_t kMostOfEach = 262'144;  // as much as logd keeps of a log by default
constexpr int kHasToybox = 26;                // ps of Android 7 has no options for columns
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

namespace {

constexpr const char* kGoneIsFine = " 2>/dev/null || true";

}  // namespace

std::string video_file(std::string_view id) {
  return "/data/local/tmp/clawperator-" + std::string(id) + ".mp4";
}

std::string record_video_line(std::string_view file, const VideoSettings& settings) {
  std::string line = "echo '" + std::string(kRecorderMark) +
                     "'$$; exec screenrecord --time-limit " + std::to_string(settings.seconds);
  if (settings.size) {
    line += " --size " + std::to_string(settings.size->width) + "x" +
            std::to_string(settings.size->height);
  }
  if (settings.bits_per_second) line += " --bit-rate " + std::to_string(*settings.bits_per_second);
  return line + " " + adbproto::quote_for_shell(file);
}

std::string stop_recorder_line(int pid) { return "kill -INT " + std::to_string(pid) + kGoneIsFine; }

std::string kill_recorder_line(int pid) {
  return "kill -KILL " + std::to_string(pid) + kGoneIsFine;
}

int longest_video(int sdk) {
  constexpr int kUnlimited = 34;
  constexpr int kThreeMinutes = 180;  // screenrecord's own limit until Android 13
  constexpr int kHalfAnHour = 1800;
  return sdk >= kUnlimited ? kHalfAnHour : kThreeMinutes;
}

}  // namespace clawperator
