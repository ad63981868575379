#include "runtime/engine/ref_guard.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator {
namespace {

constexpr OperatorVersion kKnowsStrict{0, 10, 0};

bool scrolls(const Action& action) {
  return action.type == ActionType::scroll_until || action.type == ActionType::scroll_and_click;
}

// Of a click, a typing or a reading: not of a scroll, whose node may not be on the screen yet.
bool takes_node_at_once(const Action& action) {
  return action.type == ActionType::click || action.type == ActionType::enter_text ||
         action.type == ActionType::read_text;
}

}  // namespace

bool scrolls_first(const Execution& plan) { return std::ranges::any_of(plan.actions, scrolls); }

bool knows_strict(const std::optional<OperatorVersion>& version) {
  return version && *version >= kKnowsStrict;
}

RefGuard guard_of(const ShownNode& shown, const Execution& plan,
                  const std::optional<OperatorVersion>& version, int sdk) {
  if (!shown.is_unique || !knows_strict(version)) return RefGuard::look;
  if (shown.is_bound_to_app() && !scrolls_first(plan)) return RefGuard::app;
  const bool can_compare = sdk > 0 && shown.app == shown.front && is_plain_package(shown.app);
  return can_compare ? RefGuard::shell : RefGuard::look;
}

Execution bound_plan(Execution plan, const ShownNode& shown) {
  for (Action& action : plan.actions) {
    if (!action.params || (!takes_node_at_once(action) && !scrolls(action))) continue;
    Json params = Json::parse(*action.params, nullptr, false);
    if (!params.is_object() || !params.contains("matcher")) continue;
    if (!shown.ancestor_id.empty()) {
      params["matcher"]["ancestor"] = {{"resourceId", shown.ancestor_id}};
    }
    if (takes_node_at_once(action)) params["strict"] = true;
    action.params = write_json(params);
  }
  return plan;
}

}  // namespace clawperator
