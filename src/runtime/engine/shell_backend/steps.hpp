#pragma once
// What the steps of a plan by shell have in common. Pure.

#include <expected>

#include "runtime/contract/envelope.hpp"
#include "runtime/engine/shell_backend/shell_params.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

std::string not_found(const NodeMatcher& matcher);

// Why a step found nothing to act on: for people, and the published code where it has one.
struct WhyNot {
  // NOLINTBEGIN(google-explicit-constructor): mostly there are words alone.
  WhyNot(std::string words, std::string_view code = {}) : why(std::move(words)), code(code) {}
  WhyNot(const char* words) : why(words) {}
  // NOLINTEND(google-explicit-constructor)

  std::string why;
  std::string_view code;
};
// A value read from one screen, or why there is none.
template <class T>
using Found = std::expected<T, WhyNot>;

inline constexpr std::string_view kOffScreen = "OFF_SCREEN";
inline constexpr std::string_view kAmbiguous = "NODE_AMBIGUOUS";  // no later screen is waited for

// The first matching node of the screen, or below one of its nodes. With `strict` it must be the
// only one.
Found<std::size_t> node_of(const NodeMatcher& wanted, bool strict, const UiTree& tree,
                           std::size_t below = kNoNode);

// The point for a finger: the centre of the node's visible part. An error for a disabled node.
Found<Point> point_of(const UiTree& tree, std::size_t node);

// Identifies a field that takes the focus, wherever a keyboard moves it: its names, and its place
// among the fields that share them. A field without a name has only its text.
struct FieldMark {
  std::string package, class_name, resource_id, description;
  std::optional<std::string> text{};
  std::size_t place = 0;
};
FieldMark mark_of(const UiTree& tree, std::size_t node);
// Whether that field has the focus.
bool has_focus(const UiTree& tree, const FieldMark& field);
// The field that has the cursor.
const UiNode* cursor_field(const UiTree& tree);

// The node to scroll: the matched node, else its first scrollable descendant, else the first that
// is visible on the screen. The error is the step's.
std::expected<std::size_t, std::string> container_of(const Scroll& scroll, const UiTree& tree);

struct SwipePath {
  Point from;
  Point to;
};
// The path of the finger that scrolls over the visible part; nullopt where it would be too short to
// be more than a tap.
std::optional<SwipePath> swipe_path(const Bounds& visible, std::string_view direction,
                                    double ratio);

// "0.7", "1.0"
std::string ratio_text(double ratio);

}  // namespace clawperator
