#include "runtime/engine/given_points.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

namespace {

constexpr std::int64_t kFarthest = 1'000'000;  // beyond every screen

std::optional<Point> coordinate_of(const Action& action) {
  const auto* click = action.as<Click>();
  if (!click || !click->coordinate) return std::nullopt;
  const auto side = [](double given) {
    return static_cast<int>(std::min(given, static_cast<double>(kFarthest)));
  };
  return Point{side(click->coordinate->x), side(click->coordinate->y)};
}

// Actions that end before a person can turn the phone.
bool is_over_at_once(ActionType type) {
  return type == ActionType::snapshot_ui || type == ActionType::take_screenshot ||
         type == ActionType::read_text || type == ActionType::read_key_value_pair;
}

bool lies_in(Point at, std::uint32_t width, std::uint32_t height) {
  return at.x >= 0 && at.y >= 0 && static_cast<std::uint32_t>(at.x) < width &&
         static_cast<std::uint32_t>(at.y) < height;
}

bool is_on(const GivenPoint& point, ScreenSize screen) {
  return lies_in(point.at, screen.width, screen.height) ||
         (point.may_turn && lies_in(point.at, screen.height, screen.width));
}

std::unexpected<Error> outside(const GivenPoint& point, const std::optional<ScreenSize>& screen) {
  ErrorMembers details;
  details.number("x", point.at.x).number("y", point.at.y);
  std::string message = "the point (" + std::to_string(point.at.x) + "," +
                        std::to_string(point.at.y) + ") is outside of the screen";
  if (screen) {
    details.number("width", screen->width).number("height", screen->height);
    message += ", which is " + std::to_string(screen->width) + "x" + std::to_string(screen->height);
  }
  if (!point.action_id.empty()) details.text("actionId", point.action_id);
  return fail_with(errc::off_screen, message + "; nothing was sent", details);
}

}  // namespace

std::vector<GivenPoint> given_points(const Execution& execution) {
  std::vector<GivenPoint> points;
  bool may_turn = false;
  for (const Action& action : execution.actions) {
    if (const auto at = coordinate_of(action)) points.push_back({*at, action.id, may_turn});
    may_turn = may_turn || !is_over_at_once(action.type());
  }
  return points;
}

bool all_on_screen(std::span<const GivenPoint> points, ScreenSize screen) {
  return std::ranges::all_of(points, [&](const GivenPoint& point) { return is_on(point, screen); });
}

Result<void> check_points(std::span<const GivenPoint> points,
                          const std::optional<ScreenSize>& screen) {
  constexpr std::uint32_t kAny = kFarthest;
  const ScreenSize size = screen.value_or(ScreenSize{kAny, kAny});
  const auto wrong =
      std::ranges::find_if(points, [&](const GivenPoint& point) { return !is_on(point, size); });
  if (wrong == points.end()) return ok();
  return outside(*wrong, screen);
}

}  // namespace clawperator
