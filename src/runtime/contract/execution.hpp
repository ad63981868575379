#pragma once
// What a caller asks for: one execution, an ordered list of actions for one device.
//
// Values here are validated and canonical: aliases are resolved, unknown keys refused, keys in
// schema order. `params` is kept as canonical JSON text, because the host passes it to the device
// unchanged; the few fields the host itself acts on are lifted out.

#include "base/prelude.hpp"

namespace clawperator {

enum class ActionType : std::uint8_t {
  open_app,
  open_uri,
  close_app,
  start_recording,
  stop_recording,
  wait_for_node,
  click,
  scroll_and_click,
  scroll,
  scroll_until,
  read_text,
  enter_text,
  snapshot_ui,
  take_screenshot,
  sleep,
  press_key,
  wait_for_navigation,
  read_key_value_pair,
  doctor_ping,  // the handshake of doctor; refused from every caller
};

struct Action {
  std::string id;
  ActionType type{};
  std::optional<std::string> params;          // compact canonical JSON object
  std::optional<std::string> application_id;  // params.applicationId
  std::optional<std::string> path;            // params.path
  std::optional<std::string> text{};          // params.text
  bool is_secret = false;  // what enter_text types is nobody's to read; no param of the device's

  bool operator==(const Action&) const = default;
};

// On the device every dispatch goes by an id of its own, of so many characters.
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
