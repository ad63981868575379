#pragma once
// System keys, recordings of a person's actions, and the doctor's handshake.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct PressKey {
  static const ActionRow kRow;
  std::optional<std::string> key{};
};

struct StartRecording {
  static const ActionRow kRow;
  std::optional<std::string> session_id{};
};

struct StopRecording {
  static const ActionRow kRow;
  std::optional<std::string> session_id{};
};

struct DoctorPing {
  static const ActionRow kRow;
};

}  // namespace clawperator
