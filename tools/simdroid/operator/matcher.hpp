#pragma once
// Finds the node of an action: all given fields must match. Without fields the action has no such
// matcher.
//
// A matcher may also require a node above or below the match (app 0.10).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/ui/view.hpp"

namespace simdroid {

struct Matcher {
  std::optional<std::string> resource_id, role, text_equals, text_contains, description_equals,
      description_contains;
  std::vector<Matcher> ancestor, descendant;  // one each at most

  [[nodiscard]] bool given() const;  // any field at all
  // `root` is the tree that holds the view.
  [[nodiscard]] bool matches(const View& view, const View& root) const;
  [[nodiscard]] std::string describe() const;  // as it appears in log lines and reasons

 private:
  [[nodiscard]] bool matches_alone(const View& view) const;
  [[nodiscard]] bool has_descendant(const View& view) const;
  [[nodiscard]] bool has_ancestor(const View& view, const View& root) const;
};

// button, textfield, switch, checkbox, image, text, tab, toolbar, listitem, or "unknown".
std::string_view role_of(const View& view);

// The text, or the description where there is no text.
const std::string& label_of(const View& view);

// The tree in which the app searches nodes: without invisible nodes, those beside the display, and
// their descendants. Views of it keep the numbers of their nodes.
View on_screen_only(const View& root, const Rect& display);
// The view itself or the nearest one above it, up to eight levels, of which this holds; or null.
const View* self_or_above(const View& root, const View& view, bool NodeSpec::* property);

// First match in document order, or null.
const View* find_match(const View& root, const Matcher& matcher);
// All matches, in document order; with `scope` only those below it, itself not among them.
std::vector<const View*> all_matches(const View& root, const Matcher& matcher,
                                     const View* scope = nullptr);
// From `root` down to the match, both included; empty when nothing matches.
std::vector<const View*> path_to(const View& root, const View* target);

}  // namespace simdroid
