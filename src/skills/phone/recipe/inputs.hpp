#pragma once
// The inputs that a frontmatter declares.

#include "skills/phone/recipe/placeholders.hpp"
#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {

struct Input {
  std::string_view name{};
  std::string_view type{};  // string, number, boolean
  bool is_required = false;
  const Json* otherwise = nullptr;  // its default; null: it has none
  TextPlace place{};
};

// Views into the recipe; entries without a name are left out.
std::vector<Input> inputs_of(const Recipe& recipe);

// True if a value has the type of the input. An empty text is no value.
bool fits(const Input& input, const Json& value);
bool is_given(const Json* value);

}  // namespace clawperator::recipe
