#pragma once
// Lines around the phone's own screenrecord, which writes an MP4 file: whole only when it has ended
// by itself or by SIGINT. Some makers leave the program out.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clawperator {

struct VideoSize {
  int width = 0;
  int height = 0;

  bool operator==(const VideoSize&) const = default;
};

struct VideoSettings {
  int seconds = 0;
  std::optional<VideoSize> size{};
  std::optional<std::int64_t> bits_per_second{};
};

// A name of its own on the phone.
std::string video_file(std::string_view id);

// Prints the mark, the number of the process and a line feed, and becomes the program: it ends with
// the program's own status.
inline constexpr std::string_view kRecorderMark = "clawperator-pid:";
std::string record_video_line(std::string_view file, const VideoSettings& settings);

// The program finishes its file then. Nothing where it has ended already.
std::string stop_recorder_line(int pid);
// Ends it whatever becomes of the file.
std::string kill_recorder_line(int pid);

// In seconds. Android 14 took the limit of three minutes away; ours is half an hour.
int longest_video(int sdk);

}  // namespace clawperator
