#pragma once
// System keys, recordings of what a person does, and the doctor's handshake.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct PressKey {
  std::optional<std::string> key{};
};

struct StartRecording {
  std::optional<std::string> session_id{};
};

struct StopRecording {
  std::optional<std::string> session_id{};
};

struct DoctorPing {};

}  // namespace clawperator
