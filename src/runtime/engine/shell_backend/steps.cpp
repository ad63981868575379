#include "runtime/engine/shell_backend/steps.hpp"

#include <algorithm>
#include <cmath>

#include "base/json_text.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator {
namespace {

// A finger that begins or ends at an edge is a gesture of the system.
constexpr double kUsable = 0.8;
// Android's touch slop is 8 dp, 32 pixels on the densest screens.
constexpr int kShortest = 48;

}  // namespace

std::string not_found(const NodeMatcher& matcher) {
  return "No UI node found matching criteria: " + describe(matcher);
}

Found<std::size_t> node_of(const NodeMatcher& wanted, bool strict, const UiTree& tree,
                           std::size_t below) {
  const auto found = matching_nodes(tree, wanted, below);
  if (found.empty()) return std::unexpected(WhyNot(not_found(wanted), "NODE_NOT_FOUND"));
  if (strict && found.size() > 1) {
    return std::unexpected(WhyNot(
        std::to_string(found.size()) + " nodes match criteria: " + describe(wanted), kAmbiguous));
  }
  return found.front();
}

Found<Point> point_of(const UiTree& tree, std::size_t node) {
  constexpr const char* kFailed = "Click on matching UI node failed: ";
  if (!tree.nodes[node].flags.enabled) {
    return std::unexpected(std::string(kFailed) + "it is disabled");
  }
  if (const auto part = visible_part(tree, node)) return part->centre();
  return std::unexpected(
      WhyNot(std::string(kFailed) + "none of it can be seen on the screen", kOffScreen));
}

namespace {

bool bears(const FieldMark& mark, const UiNode& node) {
  return node.flags.editable && mark.package == node.package &&
         mark.class_name == node.class_name && mark.resource_id == node.resource_id &&
         mark.description == node.description && mark.text.value_or(node.text) == node.text;
}

}  // namespace

FieldMark mark_of(const UiTree& tree, std::size_t node) {
  const UiNode& field = tree.nodes[node];
  FieldMark mark{field.package, field.class_name, field.resource_id, field.description};
  if (field.resource_id.empty() && field.description.empty()) mark.text = field.text;
  const auto before = std::span(tree.nodes).first(node);
  mark.place = static_cast<std::size_t>(
      std::ranges::count_if(before, [&](const UiNode& other) { return bears(mark, other); }));
  return mark;
}

bool has_focus(const UiTree& tree, const FieldMark& field) {
  std::size_t place = 0;
  for (const UiNode& node : tree.nodes) {
    if (!bears(field, node)) continue;
    if (place++ == field.place) return node.flags.focused;
  }
  return false;
}

const UiNode* cursor_field(const UiTree& tree) {
  for (const UiNode& node : tree.nodes) {
    if (node.flags.editable && node.flags.focused) return &node;
  }
  return nullptr;
}

std::expected<std::size_t, std::string> container_of(const Scroll& scroll, const UiTree& tree) {
  const auto all = scroll.container ? matching_nodes(tree, wanted_by(*scroll.container))
                                    : std::vector<std::size_t>();
  if (scroll.container && all.empty()) return std::unexpected("CONTAINER_NOT_FOUND");
  if (scroll.strict == true && all.size() > 1) return std::unexpected("CONTAINER_AMBIGUOUS");
  const auto named = all.empty() ? std::nullopt : std::optional(all.front());
  if (named && tree.nodes[*named].flags.scrollable) return *named;
  if (named && !scroll.find_first_scrollable_child.value_or(true)) {
    return std::unexpected("CONTAINER_NOT_SCROLLABLE");
  }
  if (named) {
    if (const auto inner = first_scrollable(tree, *named)) return *inner;
    return std::unexpected("CONTAINER_NOT_SCROLLABLE");
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].flags.scrollable && visible_part(tree, i)) return i;
  }
  return std::unexpected("CONTAINER_NOT_FOUND");
}

std::optional<SwipePath> swipe_path(const Bounds& visible, std::string_view direction,
                                    double ratio) {
  const bool upright = direction == "down" || direction == "up";
  const int extent = upright ? visible.bottom - visible.top : visible.right - visible.left;
  const int length = static_cast<int>(std::lround(extent * std::min(ratio, kUsable)));
  if (length < kShortest) return std::nullopt;
  const Point centre = visible.centre();
  // Content comes into view from below when the finger moves up.
  const bool back = direction == "up" || direction == "left";
  const int first = back ? -length / 2 : length / 2;
  const Point from =
      upright ? Point{centre.x, centre.y + first} : Point{centre.x + first, centre.y};
  const Point to = upright ? Point{centre.x, from.y - (back ? -length : length)}
                           : Point{from.x - (back ? -length : length), centre.y};
  return SwipePath{from, to};
}

std::string ratio_text(double ratio) {
  std::string text = number_json(ratio);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace clawperator
