#pragma once
// ${inputs.NAME} in a text.

#include <map>

#include "base/error.hpp"

namespace clawperator::recipe {

struct Placeholder {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string_view name{};  // empty: `${` begins no placeholder
};
std::vector<Placeholder> placeholders_in(std::string_view text);

// The values of inputs as texts.
using Values = std::map<std::string, std::string, std::less<>>;

// Replaces each placeholder once: a value's own text is never a placeholder. recipe_input_missing:
// an input has no value; recipe_input_invalid: the result is too long for any app.
Result<std::string> fill_in(std::string_view text, const Values& values);

}  // namespace clawperator::recipe
