#pragma once
// Recordings on this computer: their files, and the pictures beside it (<sessionId>-<seq>.png,
// taken before the event of that seq).

#include <filesystem>

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/host/recording/export_json.hpp"

namespace clawperator {

// `input` itself, or of a folder the recording that its file `latest` names, else its only one.
Result<std::filesystem::path> find_recording(const std::filesystem::path& input);

struct RecordedPictures {
  std::vector<RecordedPicture> pictures{};
  std::vector<std::string> warnings{};  // pictures that are there and cannot be used
};
RecordedPictures read_pictures(const Recording& recording,
                               const std::filesystem::path& recording_file);

// "x.ndjson" -> "x" + ending; anything else gets the ending appended.
std::filesystem::path output_beside(const std::filesystem::path& recording_file,
                                    std::string_view ending);

// A recording from the device's storage to a folder of this computer, over its `sync:` service.
struct PullRecording {
  NamedOperator operator_package{};
  std::optional<std::string> session_id{};  // absent: the session that was stopped last
  std::filesystem::path folder{};           // made when it is missing
};

struct PulledRecording {
  std::string session_id{};
  std::filesystem::path local_path{};  // normalised: "recordings/x.ndjson"
};

// recording_session_not_found, recording_pull_failed, or link_lost. The file appears whole or not
// at all, and nothing but it.
Task<PulledRecording> pull_recording(adbproto::Device* device, PullRecording wanted);

// The published refusal of an id that no recording can have.
Result<void> check_session_id(const std::string& id);

}  // namespace clawperator
