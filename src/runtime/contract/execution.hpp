#pragma once
// A caller's request for one device: one execution, an ordered list of actions.
// Values here are validated and canonical: aliases are resolved, unknown keys refused.

#include "runtime/contract/action.hpp"

namespace clawperator {

// The published limits of an execution; the Operator app refuses or clamps values beyond its own:
inline constexpr std::size_t kMaxActions = 50;
inline constexpr std::size_t kMaxIdLength = 128;  // lengths in UTF-16 units
inline constexpr std::size_t kMaxSourceLength = 64;
inline constexpr std::size_t kMaxTypeLength = 64;
inline constexpr std::size_t kMaxPayloadBytes = 64000;
inline constexpr double kMinTimeoutMs = 1000;
inline constexpr double kMaxTimeoutMs = 120000;
inline constexpr std::string_view kExpectedFormat = "android-ui-automator";

// On the device every dispatch has an id of its own, of this length.
inline constexpr std::size_t kDispatchIdLength = 32;

struct Execution {
  std::string command_id;  // the caller's
  std::string task_id;
  std::string source;
  double timeout_ms = 0;  // fractions are legal
  std::vector<Action> actions;
  std::optional<std::string> mode;  // "artifact_compiled" or "direct"

  bool operator==(const Execution&) const = default;
};

}  // namespace clawperator
