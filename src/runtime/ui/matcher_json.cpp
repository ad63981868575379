#include "runtime/ui/matcher_json.hpp"

#include <nlohmann/json.hpp>

namespace clawperator {

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
