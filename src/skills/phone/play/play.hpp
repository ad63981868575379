#pragma once
// Carries a recipe's steps out on a phone, one after the other, until one fails.
//
//   PlanStep --snapshots until one node alone fits--> act::perform on that node
//            --a wait: until any node fits-->         nothing is sent
//            --without a node-->                      act::perform
//
// Each step acts in the app that the recipe has opened, or in the one that its selector's id names.
// Where several nodes fit, nothing is touched.

#include "runtime/act/request.hpp"
#include "runtime/engine/executor.hpp"
#include "skills/phone/recipe/compile.hpp"
#include "skills/phone/recipe/outputs.hpp"

namespace clawperator::recipe {

struct Play {
  std::string file{};  // the recipe's, for errors
  std::string app{};   // its application_id
  std::vector<PlanStep> steps{};
  std::vector<Output> outputs{};
  act::Request how{};  // of each step: the device, the backend, the limit; `what` is not used
};

struct Played {
  std::string device_id{};
  std::vector<std::string> done{};  // the ids of the steps, in order
  JsonObject outputs{};             // redacted
};

// node_not_found, node_ambiguous, app_not_in_front, verify_failed, recipe_step_failed, or as of
// act::perform; recipe_output_invalid. `details` has the "file", "line", "column" and "step", what
// was "done" before, the selector as "expected", and what the screen has instead. Nothing in it
// contains the text of an output that is not printed.
Task<Played> play(Executor* executor, Play play);

}  // namespace clawperator::recipe
