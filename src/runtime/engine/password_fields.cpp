#include "runtime/engine/password_fields.hpp"

#include <algorithm>
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kPasswordField = R"(password="true")";

bool types_text(const Action& action) {
  const auto* enter = action.as<EnterText>();
  return enter && enter->text && !enter->secret;
}

bool cursor_is_in_password(const UiTree& tree) {
  return std::ranges::any_of(
      tree.nodes, [](const UiNode& node) { return node.flags.focused && node.flags.password; });
}

bool is_for_password(const UiTree& tree, const EnterText& enter, bool by_cursor) {
  if (!enter.matcher) return false;
  const auto fields = matching_nodes(tree, wanted_by(*enter.matcher));
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
    auto* enter = action.as<EnterText>();
    if (!enter) continue;
    const bool by_cursor = std::exchange(is_last, false);
    if (types_text(action)) enter->secret = is_for_password(*tree, *enter, by_cursor);
  }
}

}  // namespace clawperator
