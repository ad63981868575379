#include "runtime/ui/node_matcher.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/text.hpp"

namespace clawperator {
namespace {

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_char, lower_char);
}

bool contains_without_case(std::string_view text, std::string_view part) {
  return part.empty() || !std::ranges::search(text, part, {}, lower_char, lower_char).empty();
}

}  // namespace

bool is_usable(std::string_view value) {
  return !is_blank(value) && value.size() <= kMaxMatcherField;
}

const std::string& label_of(const UiNode& node) {
  return node.text.empty() ? node.description : node.text;
}

bool matches(const NodeMatcher& matcher, const UiNode& node) {
  const auto equals = [](const auto& wanted, std::string_view value) {
    return !wanted || *wanted == value;
  };
  const auto contains = [](const auto& wanted, std::string_view value) {
    return !wanted || contains_without_case(value, *wanted);
  };
  const std::string& label = label_of(node);
  return equals(matcher.resource_id, node.resource_id) && equals(matcher.text_equals, label) &&
         equals(matcher.description_equals, node.description) &&
         contains(matcher.text_contains, label) &&
         contains(matcher.description_contains, node.description) &&
         (!matcher.role || equal_without_case(*matcher.role, node.role));
}

NodeMatcher read_matcher(const nlohmann::ordered_json& object) {
  NodeMatcher matcher;
  const auto take = [&](std::string_view name, std::optional<std::string>& field) {
    const std::string* value = string_value(find_member(object, name));
    if (value && !value->empty()) field = *value;
  };
  take("resourceId", matcher.resource_id);
  take("role", matcher.role);
  take("textEquals", matcher.text_equals);
  take("textContains", matcher.text_contains);
  take("contentDescEquals", matcher.description_equals);
  take("contentDescContains", matcher.description_contains);
  return matcher;
}

}  // namespace clawperator
