#pragma once
// A recording from the device's storage to a folder of this computer, over its `sync:` service.

#include <filesystem>
#include <optional>
#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"

namespace clawperator {

struct PullRecording {
  std::string operator_package{};
  std::optional<std::string> session_id{};  // absent: what was stopped last
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
