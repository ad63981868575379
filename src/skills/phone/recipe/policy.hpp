#pragma once
// What a repository requires of a recipe beyond its format: that its frontmatter declares what its
// steps do, no less and no more. Pure.
//
//   step                                    needs       may also use
//   open_app, close_app                     navigate
//   wait_for_node, read_text, snapshot_ui   observe
//   click                                   click       navigate
//   click with click_type: long_click       long_click  navigate
//   scroll_and_click                        click       navigate
//   the same with click_after: false        navigate
//   enter_text                              type_text
//   sleep                                   nothing
//
// `confirm` needs observe. `session_policy: fresh` uses navigate. toggle and purchase_risk are what
// a change means to the user: any step that changes something may be one.

#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {

struct StepType;

// Null: the type is unknown, which is a fault of the step.
const StepType* type_of(const Part& step);

struct Needs {
  std::string_view capability{};  // empty: none
  bool navigates = false;         // it may also lead to another screen
  bool changes = false;           // something in the app
};
// nullopt: the type is unknown.
std::optional<Needs> needs_of(const Part& step);

// Capabilities and inputs that are declared and not used, or used and not declared. Of a recipe
// that has other faults, too.
std::vector<Fault> policy_faults(const Recipe& recipe);

}  // namespace clawperator::recipe
