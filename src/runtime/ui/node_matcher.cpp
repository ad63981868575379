#include "runtime/ui/node_matcher.hpp"

#include <algorithm>

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
  return !is_blank(value) && value.size() <= kMaxMatcherValueLength;
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
  const auto by_label = [&](const auto& compare, const auto& wanted) {
    return compare(wanted, label) || (!node.hint.empty() && compare(wanted, node.hint));
  };
  return equals(matcher.resource_id, node.resource_id) && by_label(equals, matcher.text_equals) &&
         equals(matcher.description_equals, node.description) &&
         by_label(contains, matcher.text_contains) &&
         contains(matcher.description_contains, node.description) &&
         (!matcher.role || equal_without_case(*matcher.role, node.role));
}

}  // namespace clawperator
