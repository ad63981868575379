#include "simdroid/ui/touch.hpp"

#include <array>

namespace simdroid {

std::string_view touch_name(TouchKind kind) {
  constexpr std::array<std::string_view, 11> kNames{"tap",        "long_press", "swipe", "click",
                                                    "long_click", "focus",      "text",  "submit",
                                                    "scroll",     "keys",       "key"};
  return kNames[static_cast<std::size_t>(kind)];
}

TouchedNode::TouchedNode(std::string_view of_package, const View& view)
    : package(of_package),
      id(view.spec->resource_id),
      text(view.text),
      description(view.spec->description),
      class_name(view.spec->class_name),
      bounds(view.bounds),
      number(view.spec->number) {}

void TouchRecord::add(TouchKind kind, const UiWindow& window, const View* view, std::string text,
                      std::optional<Point> at) {
  constexpr std::size_t kMost = 10'000;
  if (touches_.size() == kMost) touches_.erase(touches_.begin());
  Touch touch{kind, window.package, window.title, window.screen, at, std::move(text), std::nullopt};
  if (view != nullptr) touch.node.emplace(window.package, *view);
  touches_.push_back(std::move(touch));
}

}  // namespace simdroid
