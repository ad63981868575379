#pragma once
// Points of the screen that a caller names by numbers; they are checked before anything is sent.
// Pure.

#include "base/error.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct GivenPoint {
  Point at;
  std::string action_id{};
  // An earlier step may turn the screen: the point is then valid if it lies in the screen in either
  // rotation.
  bool may_turn = false;
};

// Of a validated execution.
std::vector<GivenPoint> given_points(const Execution& execution);

// `screen`: in its present rotation.
bool all_on_screen(std::span<const GivenPoint> points, ScreenSize screen);

// off_screen, for the first point outside. Where the phone reports no size only a point beyond
// every screen fails.
Result<void> check_points(std::span<const GivenPoint> points,
                          const std::optional<ScreenSize>& screen);

}  // namespace clawperator
