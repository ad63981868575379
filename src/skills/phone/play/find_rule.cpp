#include "skills/phone/play/find_rule.hpp"

#include <algorithm>

#include "runtime/ui/find.hpp"
#include "runtime/ui/node_matcher.hpp"

namespace clawperator::recipe {
namespace {

// A compact tree shows ids without the part before the slash.
bool fits_texts(const NodeMatcher& texts, const UiNode& node) {
  const auto& id = texts.resource_id;
  if (!id || id->contains('/') || *id == node.resource_id) return matches(texts, node);
  if (!node.resource_id.ends_with("/" + *id)) return false;
  NodeMatcher others = texts;
  others.resource_id.reset();
  return matches(others, node);
}

bool fits(const NodeRule& rule, const UiNode& node) {
  const auto is = [](const auto& wanted, const auto& value) { return !wanted || *wanted == value; };
  const auto fits_node = [&node](const NodeRule& each) { return fits(each, node); };
  return fits_texts(rule.texts, node) && is(rule.class_name, node.class_name) &&
         is(rule.clickable, node.flags.clickable) && is(rule.enabled, node.flags.enabled) &&
         is(rule.selected, node.flags.selected) && is(rule.index_in_parent, node.index) &&
         (rule.any_of.empty() || std::ranges::any_of(rule.any_of, fits_node)) &&
         std::ranges::all_of(rule.all_of, fits_node);
}

}  // namespace

std::vector<std::size_t> find_rule(const UiTree& tree, const NodeRule& rule,
                                   const NodeRule* container, std::string_view app) {
  std::vector<std::size_t> found;
  std::size_t end = 0;  // of the container's subtree that is being read
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (container && i >= end && fits(*container, tree.nodes[i])) end = end_of_subtree(tree, i);
    const bool is_of_app = app.empty() || tree.nodes[i].package == app;
    if (is_of_app && (!container || i < end) && fits(rule, tree.nodes[i])) found.push_back(i);
  }
  return found;
}

std::vector<NodeMatcher> texts_of(const NodeRule& rule) {
  std::vector<NodeMatcher> texts;
  if (rule.texts != NodeMatcher{}) texts.push_back(rule.texts);
  for (const auto* list : {&rule.any_of, &rule.all_of}) {
    for (const NodeRule& each : *list) {
      for (NodeMatcher& inner : texts_of(each)) texts.push_back(std::move(inner));
    }
  }
  return texts;
}

bool names_other_app(const NodeRule& rule, std::string_view app) {
  const std::string_view id =
      rule.texts.resource_id ? std::string_view(*rule.texts.resource_id) : "";
  const std::string_view owner = id.contains(":id/") ? id.substr(0, id.find(':')) : "";
  if (!owner.empty() && owner != "android" && owner != app) return true;
  return std::ranges::any_of(rule.all_of,
                             [app](const NodeRule& each) { return names_other_app(each, app); });
}

}  // namespace clawperator::recipe
