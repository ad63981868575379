#include "runtime/android/video_commands.hpp"

#include "adbproto/wire/services.hpp"

namespace clawperator {
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
  constexpr int kThreeMinutes = 180;
  constexpr int kHalfAnHour = 1800;
  return sdk >= kUnlimited ? kHalfAnHour : kThreeMinutes;
}

}  // namespace clawperator
