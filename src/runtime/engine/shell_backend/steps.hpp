#pragma once
// What the steps of a plan by shell have in common. Pure.

#include <expected>

#include "runtime/contract/envelope.hpp"
#include "runtime/engine/shell_backend/shell_params.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

std::string not_found(const NodeMatcher& matcher);

// Why a step finds nothing to act on: for people, and by the published code where it has one.
struct WhyNot {
  // NOLINTBEGIN(google-explicit-constructor): mostly there are words alone.
  WhyNot(std::string words, std::string_view code = {}) : why(std::move(words)), code(code) {}
  WhyNot(const char* words) : why(words) {}
  // NOLINTEND(google-explicit-constructor)

  std::string why;
  std::string_view code;
};
// What can be had of one screen, or why not.
template <class T>
using Found = std::expected<T, WhyNot>;

inline constexpr std::string_view kOffScreen = "OFF_SCREEN";
inline constexpr std::string_view kAmbiguous = "NODE_AMBIGUOUS";  // no later screen is waited for

// The first node of the screen, or below one of it, that is wanted. With `strict` it is the only
// one.
Found<std::size_t> node_of(const NodeMatcher& wanted, bool strict, const UiTree& tree,
                           std::size_t below = kNoNode);

// Where a finger goes for a node: the centre of what can be seen of it. Not to one that is
// disabled.
Found<Point> point_of(const UiTree& tree, std::size_t node);

// What a field keeps when it takes the focus, wherever a keyboard moves it: its names, and its
// place among the fields that share them. Of one that has none the text is all that there is.
struct FieldMark {
  std::string package, class_name, resource_id, description;
  std::optional<std::string> text{};
  std::size_t place = 0;
};
FieldMark mark_of(const UiTree& tree, std::size_t node);
// Whether the field that has the focus is that one.
bool has_focus(const UiTree& tree, const FieldMark& field);
// The field that has the cursor.
const UiNode* cursor_field(const UiTree& tree);

// What is scrolled: the matched node, else its first scrollable descendant, else the first that can
// be seen on the screen. The error is the step's.
std::expected<std::size_t, std::string> container_of(const Scroll& scroll, const UiTree& tree);

struct SwipePath {
  Point from;
  Point to;
};
// Of the finger that scrolls, over what can be seen; nullopt where it would be too short to be more
// than a tap.
std::optional<SwipePath> swipe_path(const Bounds& visible, std::string_view direction,
                                    double ratio);

// "0.7", "1.0"
std::string ratio_text(double ratio);

}  // namespace clawperator
