#include "runtime/contract/selector.hpp"

#include "base/json_text.hpp"

namespace clawperator {
namespace {

constexpr auto kMatcherFields = std::to_array<MatcherField>({
    {"resourceId", &NodeMatcher::resource_id, "resource_id id"},
    {"role", &NodeMatcher::role, ""},
    {"textEquals", &NodeMatcher::text_equals, "text"},
    {"textContains", &NodeMatcher::text_contains, "text_contains"},
    {"contentDescEquals", &NodeMatcher::description_equals,
     "content_desc content_desc_equals description accessibility_label"},
    {"contentDescContains", &NodeMatcher::description_contains,
     "content_desc_contains description_contains accessibility_label_contains"},
});

}  // namespace

std::span<const MatcherField> matcher_fields() { return kMatcherFields; }

std::string matcher_json(const Selector& selector) {
  JsonObject json;
  for (const auto& [name, field, aliases] : kMatcherFields) {
    if (const auto& value = selector.fields.*field) json.text(name, *value);
  }
  if (!selector.ancestor.empty()) json.json("ancestor", selector.ancestor);
  if (!selector.descendant.empty()) json.json("descendant", selector.descendant);
  return json.str();
}

NodeMatcher wanted_by(const Selector& selector) {
  NodeMatcher wanted = selector.fields;
  for (const auto& [name, field, aliases] : kMatcherFields) {
    if (wanted.*field == "") (wanted.*field).reset();
  }
  return wanted;
}

}  // namespace clawperator
