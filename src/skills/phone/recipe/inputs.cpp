#include "skills/phone/recipe/inputs.hpp"

#include <nlohmann/json.hpp>

#include "base/js_string.hpp"

namespace clawperator::recipe {

std::vector<Input> inputs_of(const Recipe& recipe) {
  std::vector<Input> inputs;
  if (!recipe.frontmatter.json) return inputs;
  const auto list = part_of(recipe.frontmatter).member("inputs");
  if (!list || !list->json->is_array()) return inputs;
  list->each([&inputs](const std::string&, Part entry) {
    const std::string* name = entry.text("name");
    if (name == nullptr) return;
    const std::string* type = entry.text("type");
    inputs.push_back({.name = *name,
                      .type = type ? std::string_view(*type) : "",
                      .is_required = is_true_member(*entry.json, "required"),
                      .otherwise = find_member(*entry.json, "default"),
                      .place = entry.member("name")->place()});
  });
  return inputs;
}

bool fits(const Input& input, const Json& value) {
  if (input.type == "number") return value.is_number();
  if (input.type == "boolean") return value.is_boolean();
  return value.is_string();
}

bool is_given(const Json* value) {
  return value != nullptr && !value->is_null() && !is_blank(js_text(*value));
}

}  // namespace clawperator::recipe
