#pragma once
// The screen as a video, by the phone's own screenrecord.

#include "base/error.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

struct VideoRequest {
  VideoSettings settings{};
  std::string path{};  // of this computer; written when all of it is there
  // The recording is ended then, and fetched all the same.
  std::optional<std::chrono::milliseconds> stop_after{};
};

enum class VideoEnd : std::uint8_t { time, deadline, cancelled };

struct RecordedVideo {
  std::uint64_t bytes = 0;
  VideoEnd end = VideoEnd::time;
  std::string left_behind{};  // the file on the phone, where it could not be removed
};

// Being cancelled while it records ends the recording, and the file is fetched all the same. The
// file on the phone is removed in every case that leaves a way to it; where none is left the error
// names it (details: deviceFile). unsupported without the program, and beyond the release's limit;
// refused in the program's words; effect_not_confirmed for a file that is too small for a video.
Task<RecordedVideo> record_video(adbproto::Device* device, VideoRequest request);

}  // namespace clawperator
