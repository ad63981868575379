#pragma once
// Recordings on this computer: which file is meant, and the pictures beside it
// (<sessionId>-<seq>.png, taken before the event of that seq).

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace clawperator
