#pragma once
// The node of the window that actually received a tap, a key or an accessibility action. Tests read
// it
// (`simctl touches`), independent of the command's own target.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/ui/window.hpp"

namespace simdroid {

enum class TouchKind : std::uint8_t {
  tap,         // a finger: a node that takes clicks, or none
  long_press,  // the same for long clicks
  swipe,       // the node that it scrolls
  click,       // from here on without a finger, by accessibility
  long_click,
  focus,
  text,  // the whole text of a field
  submit,
  scroll,
  keys,  // letters of a keyboard, for the focused field
  key,   // another key that the focus takes
};
std::string_view touch_name(TouchKind kind);

struct TouchedNode {
  std::string package, id, text, description, class_name;
  Rect bounds;     // what could be seen of it
  int number = 0;  // in its screen: it stays the same wherever the node moves

  TouchedNode(std::string_view of_package, const View& view);
};

struct Touch {
  TouchKind kind{};
  std::string package, window, screen;  // of the window that got it
  std::optional<Point> at{};            // fingers only
  std::string text{};                   // that was entered, or the key's name
  std::optional<TouchedNode> node;      // none: nothing took it
};

class TouchRecord {
 public:
  void add(TouchKind kind, const UiWindow& window, const View* view, std::string text,
           std::optional<Point> at);
  // The oldest first; beyond the bound the oldest are dropped.
  [[nodiscard]] const std::vector<Touch>& all() const { return touches_; }

 private:
  std::vector<Touch> touches_;
};

}  // namespace simdroid
