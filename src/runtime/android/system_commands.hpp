#pragma once
// Lines of the verbs by the phone's own shell. Each is written in the words of its release.

#include "base/prelude.hpp"

namespace clawperator {

// Which settings table the two settings of the rotation stand in: system. 1: as it is held.
inline constexpr const char* kAutoRotation = "accelerometer_rotation";
inline constexpr const char* kUserRotation = "user_rotation";  // in quarter turns

// Android 10 and newer; before there are the two settings alone. nullopt: as it is held.
std::string rotation_line(int sdk, std::optional<int> quarter_turns);
inline constexpr int kRotatesByCommand = 29;

std::string battery_line();

enum class PhoneNetwork : std::uint8_t { airplane, wifi, data };
// nullopt where the shell of that release may not: airplane mode before Android 10.
std::optional<std::string> network_line(int sdk, PhoneNetwork network, bool on);
// The global setting with its state.
std::string network_setting(PhoneNetwork network);

// Lines that read the phone's log for one app. logcat's text with times in seconds since the epoch
// (Android 7 and newer); nothing is ever cleared.

// Prints the log's events of crashed and stuck apps, a line with this mark alone, and the end of
// the log's own buffer for crashes.
inline constexpr std::string_view kCrashMark = "clawperator-crashes";
std::string crashes_line();

enum class LogEnd : std::uint8_t { follow, stop };
// The last entries and, on request, all new ones: those of `level` (V, D, I, W, E, F) and above,
// and those about started processes.
std::string package_log_line(char level, LogEnd end);

// Prints the numbers and names of all processes under headings.
std::string processes_line(int sdk);

// Lines around the phone's own screenrecord, which writes an MP4 file: finished only when it has
// ended by itself or by SIGINT. Some makers leave the program out.
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
