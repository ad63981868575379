#pragma once
// The screen as a video, by the phone's own screenrecord; and whether its file is whole.

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

struct Mp4Facts {
  std::uint64_t bytes = 0;
  std::int64_t duration_ms = 0;
  int tracks = 0;

  bool operator==(const Mp4Facts&) const = default;
};

// Whether an MP4 file is whole, told while its bytes pass: `ftyp` first, boxes to the last byte,
// and a `moov` with a track among them, which a recorder writes when it finishes. Pure; of all that
// passes only `moov` is kept.
//
//   [size type payload] [size type payload] ...     size 1: 64 bits follow; size 0: to the end
class Mp4Check {
 public:
  static constexpr std::size_t kMostMoov = 32 << 20;
  static constexpr int kMostBoxes = 4096;

  // errc::protocol for what is no such file.
  Result<void> feed(ByteView bytes);
  // The same where something is missing at the end.
  Result<Mp4Facts> finish() const;

 private:
  Result<void> begin_box();
  Result<void> end_box();

  Bytes header_;
  Bytes moov_;
  std::string type_;         // of the box that passes; empty: a header does
  std::uint64_t left_ = 0;   // of its payload
  bool to_the_end_ = false;  // it has no size
  int boxes_ = 0;
  bool has_moov_ = false;
  Mp4Facts facts_;
};

struct VideoRequest {
  VideoSettings settings{};
  std::string path{};  // of this computer; written when all of it is there
  // The recording is ended then, and fetched all the same.
  std::optional<std::chrono::milliseconds> stop_after{};
};

enum class VideoEnd : std::uint8_t { time, deadline, cancelled };

struct RecordedVideo {
  Mp4Facts facts{};
  VideoEnd end = VideoEnd::time;
  std::string left_behind{};  // the file on the phone, where it could not be removed
};

// Being cancelled while it records ends the recording, and the file is fetched all the same. The
// file on the phone is removed in every case that leaves a way to it; where none is left the error
// names it (details: deviceFile). unsupported without the program, and beyond the release's limit;
// refused in the program's words; effect_not_confirmed for a file that is not whole.
Task<RecordedVideo> record_video(adbproto::Device* device, VideoRequest request);

}  // namespace clawperator
