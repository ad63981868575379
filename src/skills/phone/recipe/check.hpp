#pragma once
// The checks of a recipe that was read. Each finds all of its faults, also in a recipe that has
// others.

#include "skills/phone/recipe/inputs.hpp"

namespace clawperator::recipe {

// The fields and their values, as fields_table.hpp has them.
void check_shape(const Recipe& recipe, std::span<const Input> inputs, Faults* faults);

// What no single field shows: unique names, references, verification, personal texts.
void check_rules(const Recipe& recipe, std::span<const Input> inputs, Faults* faults);

}  // namespace clawperator::recipe
