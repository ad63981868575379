#pragma once
// Makes an execution from a recipe and values for its inputs. The same recipe and values give the
// same bytes, in whatever order the values are. Pure.
//
// A step becomes its action; `wait.after_ms` a sleep behind it, named after-ID; `confirm` a
// wait_for_node behind that, named confirm-ID. With `session_policy: fresh` the app is closed and
// opened first.

#include "runtime/contract/execution.hpp"
#include "skills/phone/recipe/node_rule.hpp"
#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {

// The execution's JSON. `recipe` has no faults (read_recipe), `vars` is an object.
std::expected<std::string, std::vector<Fault>> compile_recipe(const Recipe& recipe,
                                                              const Json& vars);

// The same steps for `recipe run`, which sends them one by one.
struct PlanStep {
  Action action{};
  TextPlace place{};
  // The node, which a snapshot finds; the action has no matcher then. Absent: the step has none, or
  // is a read_text with parameters, which the app finds by its own matcher.
  std::optional<NodeRule> node{}, container{};
  std::string wanted{};  // the selector's JSON with its texts; empty: it has none
};
std::expected<std::vector<PlanStep>, std::vector<Fault>> plan_recipe(const Recipe& recipe,
                                                                     const Json& vars);

// The faults that every execution of the recipe would have, whatever the values, but for keys of a
// selector that an execution cannot have.
std::vector<Fault> plan_faults(const Recipe& recipe);

// Compiles it twice, with sample values in two orders: true for equal bytes. `recipe` has no
// faults.
bool is_reproducible(const Recipe& recipe);

}  // namespace clawperator::recipe
