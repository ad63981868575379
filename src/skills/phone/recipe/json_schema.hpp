#pragma once
// The format as a JSON Schema (2020-12), made from fields_table.hpp: the frontmatter, and in
// `$defs` a step and a selector.

#include "base/prelude.hpp"

namespace clawperator::recipe {

// Indented, with a line feed at its end: docs/reference/recipe.schema.json.
std::string json_schema();

}  // namespace clawperator::recipe
