#pragma once
// Makes an execution from a recipe and values for its inputs. The same recipe and values give the
// same bytes, in whatever order the values are. Pure.
//
// A step becomes its action; `wait.after_ms` a sleep behind it, named after-ID; `confirm` a
// wait_for_node behind that, named confirm-ID. With `session_policy: fresh` the app is closed and
// opened first.

#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {

// The execution's JSON. `recipe` has no faults (read_recipe), `vars` is an object.
std::expected<std::string, std::vector<Fault>> compile_recipe(const Recipe& recipe,
                                                              const Json& vars);

// The faults that every execution of the recipe would have, whatever the values, but for keys of a
// selector that an execution cannot have.
std::vector<Fault> plan_faults(const Recipe& recipe);

// Compiles it twice, with sample values in two orders: true for equal bytes. `recipe` has no
// faults.
bool is_reproducible(const Recipe& recipe);

}  // namespace clawperator::recipe
