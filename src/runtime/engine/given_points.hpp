#pragma once
// Points of the screen that a caller names by numbers: they are judged before anything is sent.
// Pure.

#include "base/error.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct GivenPoint {
  Point at;
  std::string action_id{};
  // Something before it may turn the screen: then it may lie in the screen whichever way that is
  // turned.
  bool may_turn = false;
};

// Of an execution that is validated.
std::vector<GivenPoint> given_points(const Execution& execution);

// `screen`: as it is turned.
bool all_on_screen(std::span<const GivenPoint> points, ScreenSize screen);

// off_screen, of the first that lies outside. Where the phone tells no size only what lies on no
// screen is.
Result<void> check_points(std::span<const GivenPoint> points,
                          const std::optional<ScreenSize>& screen);

}  // namespace clawperator
