#pragma once
// One action: its id, and one of the kinds in action_*.hpp.
// A kind has its parameters as members; its row (action_row.hpp) has their published names. A text
// stays as its caller wrote it until the action is validated. A caller may give any action any
// parameter: those of other kinds are in `rest`, because the device gets them as well.

#include "runtime/contract/action_apps.hpp"
#include "runtime/contract/action_click.hpp"
#include "runtime/contract/action_enter_text.hpp"
#include "runtime/contract/action_phone.hpp"
#include "runtime/contract/action_read.hpp"
#include "runtime/contract/action_screen.hpp"
#include "runtime/contract/action_scroll.hpp"
#include "runtime/contract/action_wait.hpp"

namespace clawperator {

using ActionKind =
    std::variant<OpenApp, OpenUri, CloseApp, StartRecording, StopRecording, WaitForNode, Click,
                 ScrollAndClick, Scroll, ScrollUntil, ReadText, EnterText, Snapshot, Screenshot,
                 Sleep, PressKey, WaitForNavigation, ReadValue, DoctorPing>;

// In the order of ActionKind.
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
  // The handshake of doctor; refused from every caller. It stays last: action_rows() is what stands
  // before it.
  doctor_ping,
};

// A parameter that the kind does not have.
struct ForeignParam {
  std::size_t row = 0;  // of kParams
  ParamValue value{};
};

struct Action {
  Action() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): what a caller wants is a kind, without an id yet.
  template <class Kind>
    requires std::is_constructible_v<ActionKind, std::in_place_type_t<Kind>>
  Action(Kind what, std::string its_id = {})
      : id(std::move(its_id)), kind(std::move(what)), has_params(!std::is_empty_v<Kind>) {}

  [[nodiscard]] ActionType type() const { return static_cast<ActionType>(kind.index()); }
  template <class Kind>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Kind>(kind);
  }
  template <class Kind>
  [[nodiscard]] auto* as(this auto& self) {
    return std::get_if<Kind>(&self.kind);
  }
  bool operator==(const Action& other) const;

  std::string id{};
  ActionKind kind{};
  std::vector<ForeignParam> rest{};  // in schema order
  bool has_params = true;  // false: no `params` at all, which is another text than an empty object
};

// The parameter of that name, whichever kind it belongs to.
ParamRef find_param(const Action& action, std::string_view name);
template <class Value>
const Value* param_as(const Action& action, std::string_view name) {
  const ParamRef found = find_param(action, name);
  const auto* value = std::get_if<const Value*>(&found);
  return value ? *value : nullptr;
}
// The action's `matcher` as fields; empty where it has none.
NodeMatcher matched_by(const Action& action);

// The action without parameters.
Action bare_action(ActionType type, std::string id);

// The JSON object of its parameters, compact and in schema order; nullopt where it has none.
std::optional<std::string> params_json(const Action& action);
// The same with the parameters that the device never sees, behind the others.
std::optional<std::string> whole_params_json(const Action& action);

}  // namespace clawperator
