#include "runtime/engine/password_fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kPasswordField = R"(password="true")";

bool types_text(const Action& action) {
  return action.type == ActionType::enter_text && action.text && !action.is_secret;
}

bool cursor_is_in_password(const UiTree& tree) {
  return std::ranges::any_of(
      tree.nodes, [](const UiNode& node) { return node.flags.focused && node.flags.password; });
}

bool is_for_password(const UiTree& tree, const Action& action, bool by_cursor) {
  const Json params = Json::parse(*action.params, nullptr, false);
  const Json* matcher = find_member(params, "matcher");
  if (!matcher || !matcher->is_object()) return false;
  const auto fields = matching_nodes(tree, read_matcher(*matcher));
  if (fields.empty()) return by_cursor && cursor_is_in_password(tree);
  return std::ranges::any_of(fields,
                             [&](std::size_t node) { return tree.nodes[node].flags.password; });
}

}  // namespace

void mark_passwords(Execution& execution, std::string_view xml, SeenWhen when) {
  if (std::ranges::none_of(execution.actions, types_text) || !xml.contains(kPasswordField)) return;
  const auto tree = parse_hierarchy(xml);
  if (!tree) return;
  bool is_last = when == SeenWhen::after;
  for (std::size_t i = execution.actions.size(); i-- > 0;) {
    Action& action = execution.actions[i];
    if (action.type != ActionType::enter_text) continue;
    const bool by_cursor = std::exchange(is_last, false);
    if (types_text(action)) action.is_secret = is_for_password(*tree, action, by_cursor);
  }
}

}  // namespace clawperator
